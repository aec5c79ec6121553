import { type Kysely, sql } from 'kysely'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { isAny, isLeft } from '#lib/contract/value-list.ts'
import type { CreatedEdges } from './bin-edges.ts'
import type { Labels } from './known-state.ts'
import {
  type Asked,
  type FilterName,
  isActive,
  isExpired,
  toConditions,
} from './rating-conditions.ts'
import type { Tables } from './tables.ts'

export type CodeFacets = Pick<Facets, 'rating' | 'action' | 'state' | 'created'>

type Read = <T>(select: (db: Kysely<Tables>) => Promise<T>) => Promise<T>

/**
 * The facets of few values, counted in one pass: how many rows there are of each rating, action, state and time
 * together, whatever ratings and actions are chosen. These are then left or taken out line by line, for each facet all
 * but its own. Spans of time do not agree with the lines, and few ratings are active: where one of those is asked for,
 * what it leaves out is counted apart.
 */
export async function selectCodeFacets(
  read: Read,
  asked: Asked,
  { labels, edges }: { labels: Labels; edges: CreatedEdges | null },
): Promise<CodeFacets> {
  const { query } = asked
  const isDated = !isAny(query.created) || query.from !== null || query.to !== null
  const [lines, timeline, other] = await Promise.all([
    read((db) =>
      countLines(db, asked, { without: ['rating', 'action'], edges: isDated ? null : edges }),
    ),
    isDated ? read((db) => countLines(db, asked, { without: ['created'], edges })) : null,
    query.state === null ? null : read((db) => countOtherState(db, asked)),
  ])
  return {
    rating: withLabels(
      tally(pick(lines, query, 'rating'), ({ rating }) => rating),
      labels.rating,
    ),
    action: withLabels(
      tally(pick(lines, query, 'action'), ({ action }) => action),
      labels.action,
    ),
    state: STATES.map((value) => ({
      value,
      count:
        other?.state === value
          ? other.count
          : sum(pick(lines, query, 'state').filter((line) => line[value])),
    })),
    created: toCreatedBins(pick(timeline ?? lines, query, 'created'), edges),
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
  db: Kysely<Tables>,
  asked: Asked,
  { without, edges }: { without: readonly FilterName[]; edges: CreatedEdges | null },
): Promise<Line[]> {
  const at = asked.query.asof ?? asked.at
  const bin = edges
    ? sql<number>`(created_at - ${sql.lit(edges.start)}) // ${sql.lit(edges.width)}`
    : sql<number>`0`
  return await db
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
    .groupBy(['rating', 'action', 'active', 'expired', 'bin'])
    .execute()
}

/** How many rows pass in the state that is not asked for. */
async function countOtherState(db: Kysely<Tables>, asked: Asked) {
  const state = asked.query.state === 'active' ? 'expired' : 'active'
  const row = await db
    .selectFrom('rating')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(toConditions({ ...asked, query: { ...asked.query, state } }))
    .executeTakeFirstOrThrow()
  return { state, count: row.count }
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

type Count = { value: number; count: number }

function tally(lines: readonly Line[], read: (line: Line) => number): Count[] {
  const counts = new Map<number, number>()
  for (const line of lines) counts.set(read(line), (counts.get(read(line)) ?? 0) + line.count)
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => a.value - b.value)
}

const withLabels = (counts: readonly Count[], label: (code: number) => string) =>
  counts.map(({ value, count }) => ({ value, label: label(value), count }))

const sum = (counts: readonly { count: number }[]): number =>
  counts.reduce((total, { count }) => total + count, 0)

function toCreatedBins(lines: readonly Line[], edges: CreatedEdges | null): Facets['created'] {
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
