import { type RawBuilder, sql } from 'kysely'
import { hasQuality, qualityAt } from '#lib/archive/engine/tables.ts'
import { type BinEdges, predictionBin } from '#lib/archive/query/histogram-bins.ts'
import {
  type FilterName,
  type QueryAt,
  toConditions,
} from '#lib/archive/query/rating-conditions.ts'
import { QUALITIES } from '#lib/contract/quality.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { isAny } from '#lib/contract/value-list.ts'

export type PartName = 'codes' | 'posted' | 'state' | 'symbol' | 'user' | 'prediction' | 'quality'

export type CountLine = {
  part: PartName
  rating: number
  action: number
  /** 1 active, 2 expired, 0 not yet posted. */
  state: number
  /** `codes`: time bin; `user`: id; `quality`: bit mask. */
  value: number
  /** `symbol`: key; `prediction`: lower bin edge; `posted`: `0:12 3:1`, bins and counts. */
  key: string
  name: string
  distinct: number
  count: number
}

const COLUMNS = [
  ['rating', 0],
  ['action', 0],
  ['state', 0],
  ['value', 0],
  ['key', ''],
  ['name', ''],
  ['distinct', 0],
] as const

type Column = (typeof COLUMNS)[number][0]

export type Source = { table: RawBuilder<unknown>; passed: readonly FilterName[] }

export type Part = { name: PartName; select(source: Source): RawBuilder<unknown> }

const TOP = 20

export function toParts(asked: QueryAt, { created: posted, prediction }: BinEdges): Part[] {
  const { query } = asked
  const bin = posted
    ? sql`(created_at - ${sql.lit(posted.start)}) // ${sql.lit(posted.width)}`
    : sql.lit(0)
  const parts = [
    toCodes(asked, isDated(query) ? sql.lit(0) : bin),
    toTopSymbols(asked),
    toTopUsers(asked),
    toLenses(asked),
  ]
  if (isDated(query)) parts.push(toPosted(asked, bin))
  if (query.state !== null) parts.push(toOtherState(asked))
  if (prediction) parts.push(toPredictions(asked, predictionBin(prediction)))
  return parts
}

export const isDated = ({ created, from, to }: RatingsQuery): boolean =>
  !isAny(created) || from !== null || to !== null

const toPart = (
  name: PartName,
  columns: readonly Column[],
  counted: (source: Source) => RawBuilder<unknown>,
): Part => ({
  name,
  select: (source) => sql`
    select ${sql.lit(name)} as part, ${sql.join(
      COLUMNS.map(([column, blank]) =>
        columns.includes(column) ? sql.ref(column) : sql`${sql.lit(blank)} as ${sql.ref(column)}`,
      ),
    )}, count
    from (${counted(source)}) as counted`,
})

const passing = ({ table, passed }: Source, asked: QueryAt, ...without: readonly FilterName[]) =>
  sql`${table} where ${toConditions(asked, ...without, ...passed)}`

/** Integers of a known range are counted in an array. */
const toCodes = (asked: QueryAt, bin: RawBuilder<unknown>): Part => {
  const at = sql.lit(asked.query.asof ?? asked.at)
  return toPart(
    'codes',
    ['rating', 'action', 'state', 'value'],
    (source) => sql`
      select rating, action, ${bin} as value, count(*) as count,
        case when effective_until <= ${at} then 2 when created_at <= ${at} then 1 else 0 end as state
      from ${passing(source, asked, 'rating', 'action')} group by rating, action, state, value`,
  )
}

const toPosted = (asked: QueryAt, bin: RawBuilder<unknown>): Part =>
  toPart(
    'posted',
    ['rating', 'key'],
    (source) => sql`
      select rating, string_agg(bin || ':' || count, ' ') as key, cast(sum(count) as bigint) as count
      from (
        select rating, ${bin} as bin, count(*) as count from ${passing(source, asked, 'created')}
        group by rating, bin
      ) group by rating`,
  )

const toOtherState = (asked: QueryAt): Part => {
  const state = asked.query.state === 'active' ? 'expired' : 'active'
  const other = { ...asked, query: { ...asked.query, state } } as const
  return toPart(
    'state',
    [],
    (source) => sql`select count(*) as count from ${passing(source, other)}`,
  )
}

const toTopSymbols = (asked: QueryAt): Part =>
  toPart(
    'symbol',
    ['key', 'name', 'distinct'],
    (source) => sql`
      select symbol_key as key, symbol as name, count, count(*) over () as "distinct"
      from (
        select symbol_key, count(*) as count from ${passing(source, asked, 'symbol')}
        group by symbol_key
      ) join symbol using (symbol_key)
      order by count desc, name limit ${sql.lit(TOP)}`,
  )

const toTopUsers = (asked: QueryAt): Part =>
  toPart(
    'user',
    ['value', 'distinct'],
    (source) => sql`
      select user_id as value, count(*) as count, count(*) over () as "distinct"
      from ${passing(source, asked, 'user')}
      group by user_id order by count desc, value limit ${sql.lit(TOP)}`,
  )

const toPredictions = (asked: QueryAt, bin: RawBuilder<unknown>): Part =>
  toPart(
    'prediction',
    ['key'],
    (source) => sql`
      select cast(edge as text) as key, count from (
        select ${bin} as edge, count(*) as count from ${passing(source, asked, 'prediction')}
        group by edge
      )`,
  )

const toLenses = (asked: QueryAt): Part => {
  const at = asked.query.asof ?? asked.at
  return toPart(
    'quality',
    ['value'],
    (source) => sql`
      select ${qualityAt(at)} as value, count(*) as count
      from ${passing(source, asked, 'quality')} and ${hasQuality(QUALITIES, at)} group by value`,
  )
}
