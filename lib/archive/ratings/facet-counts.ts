import { type RawBuilder, sql } from 'kysely'
import type { BinEdges } from '#lib/archive/query/histogram-bins.ts'
import type { Count } from '#lib/archive/query/kept-rows.ts'
import { type QueryAt, toConditions } from '#lib/archive/query/rating-conditions.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { isAny } from '#lib/contract/value-list.ts'
import { type CountLine, type Part, type PartName, type Source, toParts } from './facet-parts.ts'

export type FacetCounts = {
  of(part: PartName): CountLine[]
  chosen(part: 'symbol' | 'user'): CountLine[]
}

export async function countFacets(
  count: Count,
  asked: QueryAt,
  edges: BinEdges,
): Promise<FacetCounts> {
  const { query } = asked
  const parts = toParts(asked, edges)
  const isNarrowed = isNarrow(query)
  const apart = isNarrowed ? parts.filter(({ name }) => isChosen(query, name)) : parts
  const [collected, ...lines] = await Promise.all([
    isNarrowed ? select(count, countCollected(asked, parts)) : [],
    ...apart.map((part) => select(count, part.select(RATINGS))),
  ])
  const counted = [...collected.filter(({ part }) => !isChosen(query, part)), ...lines.flat()]
  return {
    of: (name) => counted.filter(({ part }) => part === name),
    chosen: (name) => (isChosen(query, name) ? collected.filter(({ part }) => part === name) : []),
  }
}

const select = async (count: Count, lines: RawBuilder<unknown>): Promise<readonly CountLine[]> =>
  await count((db) => db.selectFrom(sql<CountLine>`(${lines})`.as('lines')).selectAll())

const isChosen = (query: RatingsQuery, part: PartName): boolean =>
  (part === 'symbol' || part === 'user') && !isAny(query[part])

/** Beyond this, a rescan may be faster. */
const NARROW_VALUES = 10

const isNarrow = ({ id, symbol, user, ...query }: RatingsQuery): boolean =>
  [id, symbol, user].some(({ only }) => only.length > 0 && only.length <= NARROW_VALUES) ||
  !isAny(query.moved) ||
  query.moved_from !== null ||
  query.moved_to !== null

const RATINGS: Source = { table: sql`rating`, passed: [] }

const COLLECTED: Source = {
  table: sql`collected`,
  passed: ['id', 'symbol', 'user', 'agree', 'disagree', 'comments', 'expires', 'moved'],
}

const LEFT = ['rating', 'action', 'prediction', 'created', 'quality', 'state'] as const

/** Finding rows costs most: do it once. */
const countCollected = (asked: QueryAt, parts: readonly Part[]) => sql`
  with collected as materialized (
    select user_id, symbol_key, rating, action, created_at, effective_until, prediction_value,
      quality, vanished_at
    from rating where ${toConditions(asked, ...LEFT)}
  )
  ${sql.join(
    parts.map((part) => part.select(COLLECTED)),
    sql` union all `,
  )}`
