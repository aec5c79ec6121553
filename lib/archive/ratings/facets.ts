import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Counted } from '#lib/contract/answers/envelope.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { readChosen } from '#lib/contract/lists/define-list.ts'
import { ratingList } from '#lib/contract/lists/ratings.ts'
import { QUALITIES, qualityLabel } from '#lib/contract/quality.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { isAny, isLeft } from '#lib/contract/value-list.ts'
import { toShortText } from '#lib/statistics/exact.ts'
import { qualityBit, type Tables } from '../engine/tables.ts'
import { type BinEdges, type PostedEdges, toPredictionBins } from '../query/histogram-bins.ts'
import type { Count } from '../query/kept-rows.ts'
import type { ArchiveReader, ReadOptions } from '../reader.ts'
import {
  type CountLine,
  isDated,
  type Part,
  type PartName,
  type Source,
  TOPS,
  type Top,
  toParts,
} from './facet-parts.ts'
import {
  isRatingField,
  type QueryAt,
  type RatingField,
  toConditions,
  toRatingKey,
} from './rating-source.ts'

export async function selectFacets(
  reader: ArchiveReader,
  query: RatingsQuery,
  { at, signal }: ReadOptions,
): Promise<Facets> {
  const { labels, edges } = reader.known()
  const asked: QueryAt = { query, at }
  const count: Count = (build) => reader.keptRows.select(build, signal)
  const counts = await countFacets(count, asked, edges)
  const tops = await Promise.all(
    TOPS.map(async (top) => ({ ...top, ...(await completeTop(count, asked, { top, counts })) })),
  )
  const codes = counts.of('codes')
  const posted = isDated(query) ? toBinned(counts.of('posted')) : pick(codes, query, 'created')
  const facets = {
    rating: tallyLabelled(pick(codes, query, 'rating'), ({ rating }) => rating, labels.rating),
    action: tallyLabelled(pick(codes, query, 'action'), ({ action }) => action, labels.action),
    state: toStates(pick(codes, query, 'state'), query, counts.of('state')),
    created: toPostedBins(posted, edges.created),
    ...Object.fromEntries(tops.map(({ name, shown }) => [name, shown])),
    distinct: Object.fromEntries(tops.map(({ plural, distinct }) => [plural, distinct])),
    prediction: toPredictionBins(counts.of('prediction'), edges.prediction),
    quality: toQuality(counts.of('quality')),
    bounds: toBounds(edges),
  }
  return facets as Facets
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

type Value = string | number
type TopLine = { value: Value; count: number }
type KeyedLine = TopLine & { key: Value }

type Completing = { top: Top; counts: FacetCounts }

/** The most frequent values, then the chosen ones that are not among them. */
async function completeTop(
  count: Count,
  asked: QueryAt,
  { top, counts }: Completing,
): Promise<{ shown: TopLine[]; distinct: number }> {
  const toKeyed = ({ key, name, value, count }: CountLine): KeyedLine =>
    top.isText ? { key, value: name, count } : { key: value, value, count }
  const lines = counts.of(top.part)
  const frequent = lines.map(toKeyed)
  const { only, not } = readChosen(asked.query, top.name)
  const missing = withoutKeys([...new Set([...only, ...not])], frequent)
  const collected = withKeys(counts.chosen(top.part).map(toKeyed), missing)
  const isComplete = collected.length === missing.length
  const found = isComplete ? collected : await count((db) => selectValues(db, asked, top, missing))
  const empty = withoutKeys(missing, found).map((value) => ({ value, count: 0 }))
  const shown = [...frequent, ...found, ...empty].map(({ value, count }) => ({ value, count }))
  return { shown, distinct: lines[0]?.distinct ?? 0 }
}

const withKeys = (lines: readonly KeyedLine[], keys: readonly Value[]) =>
  lines.filter(({ key }) => keys.includes(key))

const withoutKeys = (keys: readonly Value[], lines: readonly KeyedLine[]) =>
  keys.filter((key) => lines.every((line) => line.key !== key))

function selectValues(db: Kysely<Tables>, asked: QueryAt, { field }: Top, keys: readonly Value[]) {
  const key = toRatingKey(field)
  const counted = sql<KeyedLine>`(
    select ${key} as key, ${key} as value, count(*) as count from rating
    where ${toConditions(asked, field)} and ${key} in (${sql.join(keys)}) group by key)`
  const values = field === 'symbol' ? toSymbols(asked, counted, keys) : counted
  return db.selectFrom(values.as('valued')).selectAll().orderBy('count', 'desc').orderBy('value')
}

/** Symbols as the service spells them, with those that no rating of the query has. */
const toSymbols = (
  { query: { asof } }: QueryAt,
  counted: RawBuilder<KeyedLine>,
  keys: readonly Value[],
) => sql<KeyedLine>`(
  select symbol_key as key, symbol as value, coalesce(counted.count, 0) as count
  from symbol left join ${counted} as counted on counted.key = symbol_key
  where symbol_key in (${
    asof === null
      ? sql.join(keys)
      : sql`select symbol_key from rating
          where symbol_key in (${sql.join(keys)}) and created_at <= ${asof}`
  }))`

const toQuality = (lines: readonly CountLine[]): Facets['quality'] =>
  QUALITIES.map((value) => {
    const under = lines.filter((line) => (line.value & qualityBit(value)) !== 0)
    return { value, label: qualityLabel(value), count: sum(under) }
  })

type FacetCounts = {
  of(part: PartName): CountLine[]
  /** Of the rows of a narrow query. */
  chosen(part: PartName): CountLine[]
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
  TOPS.some((top) => top.part === part && !isAny(readChosen(query, top.name)))

/** Beyond this, a rescan may be faster. */
const NARROW_VALUES = 10

const isNarrow = ({ id, symbol, user, ...query }: RatingsQuery): boolean =>
  [id, symbol, user].some(({ only }) => only.length > 0 && only.length <= NARROW_VALUES) ||
  !isAny(query.moved) ||
  query.moved_from !== null ||
  query.moved_to !== null

const RATINGS: Source = { table: sql`rating`, passed: [] }

const LEFT: readonly RatingField[] = [
  'rating',
  'action',
  'prediction',
  'created_at',
  'quality',
  'state',
]

const COLLECTED: Source = {
  table: sql`collected`,
  passed: Object.keys(ratingList.fields)
    .filter(isRatingField)
    .filter((name) => !LEFT.includes(name)),
}

/** Finding rows costs most: do it once. */
const countCollected = (asked: QueryAt, parts: readonly Part[]) => sql`
  with collected as materialized (
    select ${sql.join(TOPS.map(({ field }) => toRatingKey(field)))}, rating, action, created_at,
      effective_until, prediction_value, quality, vanished_at
    from rating where ${toConditions(asked, ...LEFT)}
  )
  ${sql.join(
    parts.map((part) => part.select(COLLECTED)),
    sql` union all `,
  )}`

type Tally = { value: number; count: number }

export function tally<L extends { count: number }>(
  lines: readonly L[],
  read: (line: L) => number,
): Tally[] {
  const counts = new Map<number, number>()
  for (const line of lines) counts.set(read(line), (counts.get(read(line)) ?? 0) + line.count)
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => a.value - b.value)
}

const tallyLabelled = <L extends { count: number }>(
  lines: readonly L[],
  read: (line: L) => number,
  label: (code: number) => string,
): Counted[] =>
  tally(lines, read).map(({ value, count }) => ({ value, label: label(value), count }))
