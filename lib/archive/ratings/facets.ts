import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Tables, toQualities } from '#lib/archive/engine/tables.ts'
import {
  type BinEdges,
  type PostedEdges,
  toPredictionBins,
} from '#lib/archive/query/histogram-bins.ts'
import type { Count } from '#lib/archive/query/kept-rows.ts'
import { type QueryAt, toConditions } from '#lib/archive/query/rating-conditions.ts'
import { tally, tallyLabelled } from '#lib/archive/query/tally.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { QUALITIES, qualityLabel } from '#lib/contract/quality.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type Chosen, isAny, isLeft } from '#lib/contract/value-list.ts'
import { toShortText } from '#lib/statistics/exact.ts'
import {
  type CountLine,
  isDated,
  type Part,
  type PartName,
  type Source,
  toParts,
} from './facet-parts.ts'

export async function selectFacets(
  reader: ArchiveReader,
  query: RatingsQuery,
  { at, signal }: ReadOptions,
): Promise<Facets> {
  const { labels, edges } = reader.known()
  const asked: QueryAt = { query, at }
  const count: Count = (build) => reader.keptRows.select(build, signal)
  const counts = await countFacets(count, asked, edges)
  const [symbols, users] = await Promise.all([
    completeSymbols(count, asked, counts),
    completeUsers(count, asked, counts),
  ])
  const codes = counts.of('codes')
  const posted = isDated(query) ? toBinned(counts.of('posted')) : pick(codes, query, 'created')
  return {
    rating: tallyLabelled(pick(codes, query, 'rating'), ({ rating }) => rating, labels.rating),
    action: tallyLabelled(pick(codes, query, 'action'), ({ action }) => action, labels.action),
    state: toStates(pick(codes, query, 'state'), query, counts.of('state')),
    created: toPostedBins(posted, edges.created),
    symbol: symbols.shown,
    user: users.shown,
    distinct: { symbols: symbols.distinct, users: users.distinct },
    prediction: toPredictionBins(counts.of('prediction'), edges.prediction),
    quality: toQuality(counts.of('quality')),
    bounds: toBounds(edges),
  }
}

const toBounds = ({ created, prediction }: BinEdges): Facets['bounds'] => ({
  created: created && { from: created.first, to: created.last + 1 },
  prediction: prediction && {
    min: toShortText(prediction.smallest),
    max: toShortText(prediction.largest),
  },
})

const toStates = (
  codes: readonly CountLine[],
  { state }: RatingsQuery,
  other: readonly CountLine[],
): Facets['state'] =>
  STATES.map(({ value, code }) => ({
    value,
    count: sum(
      state === null || state === value ? codes.filter((line) => line.state === code) : other,
    ),
  }))

const STATES = [
  { value: 'active', code: 1 },
  { value: 'expired', code: 2 },
] as const

function pick(
  lines: readonly CountLine[],
  { rating, action }: RatingsQuery,
  own: 'rating' | 'action' | 'state' | 'created',
): CountLine[] {
  return lines.filter(
    (line) =>
      (own === 'rating' || isLeft(rating, line.rating)) &&
      (own === 'action' || isLeft(action, line.action)),
  )
}

const sum = (counts: readonly { count: number }[]): number =>
  counts.reduce((total, { count }) => total + count, 0)

const toBinned = (lines: readonly CountLine[]): CountLine[] =>
  lines.flatMap((line) =>
    line.key.split(' ').map((item) => {
      const [value = 0, count = 0] = item.split(':').map(Number)
      return { ...line, value, count }
    }),
  )

function toPostedBins(lines: readonly CountLine[], edges: PostedEdges | null): Facets['created'] {
  if (!edges) return []
  const { start, width, bins } = edges
  const byBin = Array.from({ length: bins }, (): CountLine[] => [])
  // A commit may precede the update of the edges.
  for (const line of lines) byBin[Math.min(Math.max(line.value, 0), bins - 1)]?.push(line)
  return byBin.map((own, bin) => ({
    from: start + bin * width,
    to: start + (bin + 1) * width,
    count: sum(own),
    ratings: tally(own, ({ rating }) => rating),
  }))
}

type TopLine<V> = { value: V; count: number }

type TopFacet<V> = { shown: TopLine<V>[]; distinct: number }

async function completeSymbols(
  count: Count,
  asked: QueryAt,
  counts: FacetCounts,
): Promise<TopFacet<string>> {
  const top = counts.of('symbol')
  const missing = toMissing(
    asked.query.symbol,
    top.map(({ key }) => key),
  )
  const chosen = counts.chosen('symbol').filter(({ key }) => missing.includes(key))
  if (chosen.length === missing.length) return toFacet(top, chosen.map(toSymbol), toSymbol)
  const found = await count((db) => selectSymbols(db, asked, missing))
  const unknown = toMissing(
    { only: missing, not: [] },
    found.map(({ key }) => key),
  )
  return toFacet(top, [...found, ...unknown.map(toEmpty)], toSymbol)
}

const toSymbol = ({ name, count }: CountLine): TopLine<string> => ({ value: name, count })

const selectSymbols = (db: Kysely<Tables>, asked: QueryAt, keys: string[]) =>
  db
    .with('counted', (rest) =>
      rest
        .selectFrom('rating')
        .select((eb) => ['symbol_key', eb.fn.countAll<number>().as('count')])
        .where(toConditions(asked, 'symbol'))
        .where('symbol_key', 'in', keys)
        .groupBy('symbol_key'),
    )
    .selectFrom('symbol')
    .leftJoin('counted', 'counted.symbol_key', 'symbol.symbol_key')
    .select((eb) => [
      'symbol.symbol_key as key',
      'symbol.symbol as value',
      eb.fn.coalesce('counted.count', eb.lit(0)).as('count'),
    ])
    .where('symbol.symbol_key', 'in', ratedAmong(db, keys, asked.query.asof))
    .orderBy('count', 'desc')
    .orderBy('value')

/** Seconds; null: now. */
const ratedAmong = (db: Kysely<Tables>, keys: readonly string[], asof: number | null) =>
  asof === null
    ? db.selectFrom('symbol').select('symbol_key').where('symbol_key', 'in', keys)
    : db
        .selectFrom('rating')
        .select('symbol_key')
        .where('symbol_key', 'in', keys)
        .where('created_at', '<=', asof)

async function completeUsers(
  count: Count,
  asked: QueryAt,
  counts: FacetCounts,
): Promise<TopFacet<number>> {
  const top = counts.of('user')
  const missing = toMissing(
    asked.query.user,
    top.map(({ value }) => value),
  )
  const chosen = counts.chosen('user').filter(({ value }) => missing.includes(value))
  if (chosen.length === missing.length) return toFacet(top, chosen, toUser)
  const found = await count((db) => selectUsers(db, asked, missing))
  const empty = toMissing(
    { only: missing, not: [] },
    found.map(({ value }) => value),
  )
  return toFacet(top, [...found, ...empty.map(toEmpty)], toUser)
}

const toUser = ({ value, count }: TopLine<number>): TopLine<number> => ({ value, count })

const selectUsers = (db: Kysely<Tables>, asked: QueryAt, users: number[]) =>
  db
    .selectFrom('rating')
    .select((eb) => ['user_id as value', eb.fn.countAll<number>().as('count')])
    .where(toConditions(asked, 'user'))
    .where('user_id', 'in', users)
    .groupBy('user_id')
    .orderBy('count', 'desc')
    .orderBy('value')

const toMissing = <V>({ only, not }: Chosen<V>, shown: readonly V[]): V[] =>
  [...new Set([...only, ...not])].filter((value) => !shown.includes(value))

const toEmpty = <V>(value: V): TopLine<V> => ({ value, count: 0 })

const toFacet = <V>(
  top: readonly CountLine[],
  chosen: readonly TopLine<V>[],
  toLine: (line: CountLine) => TopLine<V>,
): TopFacet<V> => ({
  shown: [...top.map(toLine), ...chosen.map(({ value, count }) => ({ value, count }))],
  distinct: top[0]?.distinct ?? 0,
})

const toQuality = (lines: readonly CountLine[]): Facets['quality'] =>
  QUALITIES.map((value) => {
    const under = lines.filter((line) => toQualities(line.value).includes(value))
    return { value, label: qualityLabel(value), count: sum(under) }
  })

type FacetCounts = {
  of(part: PartName): CountLine[]
  chosen(part: 'symbol' | 'user'): CountLine[]
}

async function countFacets(count: Count, asked: QueryAt, edges: BinEdges): Promise<FacetCounts> {
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
