import { type Kysely, sql } from 'kysely'
import { hasQuality, qualityAt, type Tables, toQualities } from '#lib/archive/engine/tables.ts'
import type { Labels } from '#lib/archive/query/archive-state.ts'
import {
  type BinEdges,
  type PostedEdges,
  selectPredictionBins,
} from '#lib/archive/query/histogram-bins.ts'
import type { Count } from '#lib/archive/query/kept-rows.ts'
import {
  type Asked,
  type FilterName,
  isActive,
  isExpired,
  toConditions,
} from '#lib/archive/query/rating-conditions.ts'
import { tally, tallyLabelled } from '#lib/archive/query/tally.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { QUALITIES, qualityLabel } from '#lib/contract/quality.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type Chosen, isAny, isLeft } from '#lib/contract/value-list.ts'
import { toShortText } from '#lib/statistics/exact.ts'

/** The counts beside the filters: each over the rows that pass all the other filters. */
export async function selectFacets(
  reader: ArchiveReader,
  query: RatingsQuery,
  { at, signal }: ReadOptions,
): Promise<Facets> {
  const { labels, edges } = reader.known()
  const asked: Asked = { query, at }
  // A facet leaves out its own filter: the symbols beside a filter by symbol are those of every such question.
  const count: Count = (build) => reader.keptRows.select(build, signal)
  const [codes, symbols, users, prediction, quality] = await Promise.all([
    selectCodeFacets(count, asked, { labels, edges: edges.created }),
    selectTopSymbols(count, asked),
    selectTopUsers(count, asked),
    selectPredictionBins(count, asked, edges.prediction),
    selectQualityFacet(count, asked),
  ])
  return {
    ...codes,
    symbol: symbols.shown,
    user: users.shown,
    distinct: { symbols: symbols.distinct, users: users.distinct },
    prediction,
    quality,
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

export type CodeFacets = Pick<Facets, 'rating' | 'action' | 'state' | 'created'>

/**
 * The facets of few values, counted in one pass: how many rows there are of each rating, action, state and time
 * together, whatever ratings and actions are chosen. These are then left or taken out line by line, for each facet all
 * but its own. Spans of time do not agree with the lines, and few ratings are active: where one of those is asked for,
 * what it leaves out is counted apart.
 */
async function selectCodeFacets(
  count: Count,
  asked: Asked,
  { labels, edges }: { labels: Labels; edges: PostedEdges | null },
): Promise<CodeFacets> {
  const { query } = asked
  const isDated = !isAny(query.created) || query.from !== null || query.to !== null
  const [lines, timeline, other] = await Promise.all([
    countLines(count, asked, { without: ['rating', 'action'], edges: isDated ? null : edges }),
    isDated ? countLines(count, asked, { without: ['created'], edges }) : null,
    query.state === null ? null : countOtherState(count, asked),
  ])
  return {
    rating: tallyLabelled(pick(lines, query, 'rating'), ({ rating }) => rating, labels.rating),
    action: tallyLabelled(pick(lines, query, 'action'), ({ action }) => action, labels.action),
    state: STATES.map((value) => ({
      value,
      count:
        other?.state === value
          ? other.count
          : sum(pick(lines, query, 'state').filter((line) => line[value])),
    })),
    created: toPostedBins(pick(timeline ?? lines, query, 'created'), edges),
  }
}

const STATES = ['active', 'expired'] as const

/** Rows that are alike in everything that these facets look at. A rating that is yet to be posted has no state. */
type Line = {
  rating: number
  action: number
  active: boolean
  expired: boolean
  bin: number
  count: number
}

async function countLines(
  count: Count,
  asked: Asked,
  { without, edges }: { without: readonly FilterName[]; edges: PostedEdges | null },
): Promise<readonly Line[]> {
  const at = asked.query.asof ?? asked.at
  const bin = edges
    ? sql<number>`(created_at - ${sql.lit(edges.start)}) // ${sql.lit(edges.width)}`
    : sql<number>`0`
  return await count((db) =>
    db
      .selectFrom('rating')
      .select((eb) => [
        'rating',
        'action',
        sql<boolean>`${isActive(at)}`.as('active'),
        sql<boolean>`${isExpired(at)}`.as('expired'),
        bin.as('bin'),
        eb.fn.countAll<number>().as('count'),
      ])
      .where(toConditions(asked, ...without))
      .groupBy(['rating', 'action', 'active', 'expired', 'bin']),
  )
}

/** How many rows pass in the state that is not asked for. */
async function countOtherState(count: Count, asked: Asked) {
  const state = asked.query.state === 'active' ? 'expired' : 'active'
  const rows = await count((db) =>
    db
      .selectFrom('rating')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(toConditions({ ...asked, query: { ...asked.query, state } })),
  )
  return { state, count: sum(rows) }
}

/** The lines that pass what is chosen of the other codes. */
function pick(
  lines: readonly Line[],
  { rating, action }: RatingsQuery,
  own: keyof CodeFacets,
): Line[] {
  return lines.filter(
    (line) =>
      (own === 'rating' || isLeft(rating, line.rating)) &&
      (own === 'action' || isLeft(action, line.action)),
  )
}

const sum = (counts: readonly { count: number }[]): number =>
  counts.reduce((total, { count }) => total + count, 0)

function toPostedBins(lines: readonly Line[], edges: PostedEdges | null): Facets['created'] {
  if (!edges) return []
  const { start, width, bins } = edges
  const byBin = Array.from({ length: bins }, (): Line[] => [])
  // A commit may bring in what lies outside just before the edges follow.
  for (const line of lines) byBin[Math.min(Math.max(line.bin, 0), bins - 1)]?.push(line)
  return byBin.map((own, bin) => ({
    from: start + bin * width,
    to: start + (bin + 1) * width,
    count: sum(own),
    ratings: tally(own, ({ rating }) => rating),
  }))
}

/** How many symbols and users a facet names beside the chosen ones. */
const TOP = 20

type TopLine<V> = { value: V; count: number }

/** The most frequent, then what is chosen beside them, down to what has no row; `distinct` counts all that have one. */
export type TopFacet<V> = { shown: TopLine<V>[]; distinct: number }

/** Chosen symbols stand as ratings spell them; those that nobody had rated by then as they are compared. */
async function selectTopSymbols(count: Count, asked: Asked): Promise<TopFacet<string>> {
  const toCounted = (db: Kysely<Tables>) =>
    db
      .selectFrom('rating')
      .select((eb) => ['symbol_key', eb.fn.countAll<number>().as('count')])
      .where(toConditions(asked, 'symbol'))
      .groupBy('symbol_key')
  const top = await count((db) =>
    db
      .with('counted', () => toCounted(db))
      .selectFrom('counted')
      .innerJoin('symbol', 'symbol.symbol_key', 'counted.symbol_key')
      .select(['symbol.symbol_key as key', 'symbol.symbol as value', 'counted.count', distinct])
      .orderBy('count', 'desc')
      .orderBy('value')
      .limit(TOP),
  )
  const missing = toMissing(
    asked.query.symbol,
    top.map(({ key }) => key),
  )
  if (missing.length === 0) return toFacet(top, [])
  const found = await count((db) =>
    db
      .with('counted', () => toCounted(db).where('symbol_key', 'in', missing))
      .selectFrom('symbol')
      .leftJoin('counted', 'counted.symbol_key', 'symbol.symbol_key')
      .select((eb) => [
        'symbol.symbol_key as key',
        'symbol.symbol as value',
        eb.fn.coalesce('counted.count', eb.lit(0)).as('count'),
      ])
      .where('symbol.symbol_key', 'in', ratedAmong(db, missing, asked.query.asof))
      .orderBy('count', 'desc')
      .orderBy('value'),
  )
  const unknown = toMissing(
    { only: missing, not: [] },
    found.map(({ key }) => key),
  )
  return toFacet(top, [...found, ...unknown.map(toEmpty)])
}

/** Which of these symbols had a rating at `asof` (seconds; null: have one now, as every symbol that is known). */
const ratedAmong = (db: Kysely<Tables>, keys: readonly string[], asof: number | null) =>
  asof === null
    ? db.selectFrom('symbol').select('symbol_key').where('symbol_key', 'in', keys)
    : db
        .selectFrom('rating')
        .select('symbol_key')
        .where('symbol_key', 'in', keys)
        .where('created_at', '<=', asof)

async function selectTopUsers(count: Count, asked: Asked): Promise<TopFacet<number>> {
  const toCounted = (db: Kysely<Tables>) =>
    db
      .selectFrom('rating')
      .select((eb) => ['user_id as value', eb.fn.countAll<number>().as('count')])
      .where(toConditions(asked, 'user'))
      .groupBy('user_id')
  const top = await count((db) =>
    db
      .selectFrom(toCounted(db).as('counted'))
      .select(['value', 'count', distinct])
      .orderBy('count', 'desc')
      .orderBy('value')
      .limit(TOP),
  )
  const missing = toMissing(
    asked.query.user,
    top.map(({ value }) => value),
  )
  if (missing.length === 0) return toFacet(top, [])
  const found = await count((db) =>
    toCounted(db).where('user_id', 'in', missing).orderBy('count', 'desc').orderBy('value'),
  )
  const empty = toMissing(
    { only: missing, not: [] },
    found.map(({ value }) => value),
  )
  return toFacet(top, [...found, ...empty.map(toEmpty)])
}

/** Counted before the limit. */
const distinct = sql<number>`count(*) over ()`.as('distinct')

const toMissing = <V>({ only, not }: Chosen<V>, shown: readonly V[]): V[] =>
  [...new Set([...only, ...not])].filter((value) => !shown.includes(value))

const toEmpty = <V>(value: V): TopLine<V> => ({ value, count: 0 })

const toFacet = <V>(
  top: readonly (TopLine<V> & { distinct: number })[],
  chosen: readonly TopLine<V>[],
): TopFacet<V> => ({
  shown: [...top, ...chosen].map(({ value, count }) => ({ value, count })),
  distinct: top[0]?.distinct ?? 0,
})

/** How many of the rows that pass the other filters fall under each lens; one row may fall under several. */
async function selectQualityFacet(count: Count, asked: Asked): Promise<Facets['quality']> {
  const at = asked.query.asof ?? asked.at
  const lines = await count((db) =>
    db
      .selectFrom('rating')
      .select((eb) => [qualityAt(at).as('lenses'), eb.fn.countAll<number>().as('count')])
      .where(toConditions(asked, 'quality'))
      .where(hasQuality(QUALITIES, at))
      .groupBy('lenses'),
  )
  return QUALITIES.map((value) => {
    const under = lines.filter(({ lenses }) => toQualities(lenses).includes(value))
    return { value, label: qualityLabel(value), count: sum(under) }
  })
}
