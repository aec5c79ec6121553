import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { Gaps } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import { actionLabel, ratingLabel } from '#lib/contract/rating-fields.ts'
import { type BinEdges, loadBinEdges } from './histogram-bins.ts'

/** `completeTo`: seconds since 1970. */
export type ArchiveState = {
  ratings: number
  generation: number
  /** Generation alone is not enough: a shared database that lost commits reuses numbers. */
  version: string
  completeTo: number | null
  /** Includes dropped rows. */
  quarantined: number
  vanished: number
  gaps: Gaps
  newestCreatedAt: number | null
  quietAfterSeconds: number
}

/** The label of the newest rating with the code. */
export type Labels = { rating: (code: number) => string; action: (code: number) => string }

type OfRatings = Pick<
  ArchiveState,
  'ratings' | 'vanished' | 'newestCreatedAt' | 'quietAfterSeconds'
> & {
  labels: Labels
  edges: BinEdges
}

export type KnownState = Pick<OfRatings, 'labels' | 'edges'> & {
  state: Omit<ArchiveState, 'version'>
  gaps: KnownGaps
  coveredToId: number | null
}

export async function loadKnownState(db: Kysely<Tables>, before?: KnownState): Promise<KnownState> {
  const { generation, completeTo, quarantined, coveredToId } = await loadJournal(db)
  const sameRatings = before?.state.generation === generation ? before : null
  const sameGaps =
    sameRatings?.state.quarantined === quarantined && sameRatings.coveredToId === coveredToId
      ? sameRatings.gaps
      : null
  const { labels, edges, ...counts } = sameRatings
    ? toOfRatings(sameRatings)
    : await loadOfRatings(db)
  const gaps = sameGaps ?? (await loadGaps(db, before?.gaps))
  const state = { ...counts, generation, completeTo, quarantined, gaps: gaps.gaps }
  return { state, labels, edges, gaps, coveredToId }
}

const toOfRatings = ({ state, labels, edges }: KnownState): OfRatings => {
  const { ratings, vanished, newestCreatedAt, quietAfterSeconds } = state
  return { ratings, vanished, newestCreatedAt, quietAfterSeconds, labels, edges }
}

async function loadJournal(db: Kysely<Tables>) {
  const journal = await db
    .selectFrom('journal')
    .select(['generation', 'complete_to', 'quarantine_dropped', 'covered_to_id'])
    .executeTakeFirstOrThrow()
  return {
    generation: journal.generation,
    completeTo: journal.complete_to,
    quarantined: (await countRows(db, 'quarantine')) + journal.quarantine_dropped,
    coveredToId: journal.covered_to_id,
  }
}

const loadOfRatings = async (db: Kysely<Tables>): Promise<OfRatings> => ({
  ratings: await countRows(db, 'rating'),
  vanished: await countVanished(db),
  ...(await selectRhythm(db)),
  labels: await loadLabels(db),
  edges: await loadBinEdges(db),
})

async function countVanished(db: Kysely<Tables>): Promise<number> {
  const { vanished } = await db
    .selectFrom('rating')
    .select((eb) => eb.fn.countAll<number>().as('vanished'))
    .where('vanished_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return vanished
}

async function countRows(db: Kysely<Tables>, table: 'rating' | 'quarantine'): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return row.rows
}

async function loadLabels(db: Kysely<Tables>): Promise<Labels> {
  const ratings = new Map(await selectLabels(db, 'rating', 'rating_label'))
  const actions = new Map(await selectLabels(db, 'action', 'action_label'))
  return {
    rating: (code) => ratings.get(code) ?? ratingLabel(code),
    action: (code) => actions.get(code) ?? actionLabel(code),
  }
}

async function selectLabels(
  db: Kysely<Tables>,
  code: 'rating' | 'action',
  label: 'rating_label' | 'action_label',
): Promise<[number, string][]> {
  const rows = await db
    .selectFrom('rating')
    .select((eb) => [
      eb.ref(code).as('code'),
      eb.ref(label).as('label'),
      eb.fn.max('created_at').as('newest'),
    ])
    .groupBy([code, label])
    .orderBy('newest')
    .orderBy(label)
    .execute()
  return rows.map((row) => [row.code, row.label])
}

type Range = Gaps['listed'][number]

type Covered = { key: string; listed: Range[] }

type KnownGaps = { gaps: Gaps; covered: Covered }

const LISTED = 20

/** Searches ranges below the last whole import only if something changed there. */
export async function loadGaps(db: Kysely<Tables>, before?: KnownGaps): Promise<KnownGaps> {
  const bounds = await selectBounds(db)
  if (bounds === null) {
    return { gaps: { ids: 0, unexplained: 0, listed: [] }, covered: { key: '', listed: [] } }
  }
  const { lowest, highest, edge } = bounds
  const held = await countWithin(db, { from: lowest, to: edge })
  const above = await countWithin(db, { from: edge + 1, to: highest })
  const ids = span(lowest, highest) - BigInt(held + above)
  const unread = await countUnread(db, { from: edge + 1, to: highest })
  const unexplained = span(edge + 1, highest) - BigInt(above + unread)
  const key = `${lowest} ${edge} ${held} ${await countUnread(db, { from: lowest, to: edge })}`
  const listed = await selectRanges(db, { from: edge, to: highest, reason: 'unknown' })
  const covered =
    before?.covered.key === key
      ? before.covered
      : { key, listed: await selectRanges(db, { from: lowest, to: edge, reason: 'dump' }) }
  const explained = [...listed.filter(isExplained), ...covered.listed]
  return {
    gaps: {
      ids: toSafe(ids),
      unexplained: toSafe(unexplained),
      listed: [...listed.filter((range) => !isExplained(range)), ...explained].slice(0, LISTED),
    },
    covered,
  }
}

const isExplained = ({ reason }: Range) => reason !== 'unknown'

/** Random ids can span more than Number's safe range. */
const span = (from: number, to: number): bigint => BigInt(to) - BigInt(from) + 1n

const toSafe = (count: bigint): number => Math.min(Number(count), Number.MAX_SAFE_INTEGER)

async function selectBounds(db: Kysely<Tables>) {
  const { lowest, highest } = await db
    .selectFrom('rating')
    .select((eb) => [
      eb.fn.min<number | null>('id').as('lowest'),
      eb.fn.max<number | null>('id').as('highest'),
    ])
    .executeTakeFirstOrThrow()
  if (lowest === null || highest === null) return null
  const { covered_to_id: coveredTo } = await db
    .selectFrom('journal')
    .select('covered_to_id')
    .executeTakeFirstOrThrow()
  return { lowest, highest, edge: Math.min(highest, Math.max(lowest, coveredTo ?? lowest)) }
}

/** Both inclusive. */
type Span = { from: number; to: number }

const within = (column: 'id' | 'rating_id', { from, to }: Span) =>
  sql<boolean>`${sql.ref(column)} between ${sql.lit(from)} and ${sql.lit(to)}`

async function countWithin(db: Kysely<Tables>, span: Span): Promise<number> {
  const { count } = await db
    .selectFrom('rating')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(within('id', span))
    .executeTakeFirstOrThrow()
  return count
}

const unreadIds = (span: Span) => sql`
  select distinct rating_id as id from quarantine where ${within('rating_id', span)}
    and not exists (select 1 from rating where rating.id = rating_id and ${within('id', span)})`

async function countUnread(db: Kysely<Tables>, span: Span): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${unreadIds(span)}) as unread`.execute(db)
  return rows[0]?.count ?? 0
}

async function selectRanges(
  db: Kysely<Tables>,
  { reason, ...span }: Span & { reason: 'dump' | 'unknown' },
): Promise<Range[]> {
  const missing = await sql<{ from: number; to: number }>`
    select id + 1 as from, next - 1 as to from (
      select id, lead(id) over (order by id) as next from (
        select id from rating where ${within('id', span)} union all ${unreadIds(span)}
      ) as present
    ) as neighbors
    where next - id > 1 order by id desc limit ${sql.lit(LISTED)}`.execute(db)
  const unread = await sql<{ from: number; to: number }>`
    select min(id) as from, max(id) as to from (
      select id, id - row_number() over (order by id) as island from (${unreadIds(span)}) as unread
    ) as numbered
    group by island order by max(id) desc limit ${sql.lit(LISTED)}`.execute(db)
  return [
    ...missing.rows.map((range): Range => ({ ...range, reason })),
    ...unread.rows.map((range): Range => ({ ...range, reason: 'quarantine' })),
  ].sort((a, b) => b.from - a.from)
}

const RHYTHM_RATINGS = 1000
const RHYTHM_LEAST = 20

const WEEK = 7 * 86_400
const UNKNOWN_RHYTHM = 90 * 86_400
const QUIET_TIMES = 3

/** 3 × the 99th percentile of recent silences, at least a week. */
async function selectRhythm(db: Kysely<Tables>) {
  const { rows } = await sql<{ newest: number | null; ratings: number; usual: number | null }>`
    select max(created_at) as newest, count(*) as ratings,
      percentile_disc(0.99) within group (order by created_at - before) as usual
    from (
      select created_at, lag(created_at) over (order by created_at) as before from (
        select created_at from rating order by created_at desc limit ${sql.lit(RHYTHM_RATINGS)}
      ) as latest
    ) as lately`.execute(db)
  const [lately] = rows
  const isKnown = lately !== undefined && lately.ratings >= RHYTHM_LEAST && lately.usual !== null
  return {
    newestCreatedAt: lately?.newest ?? null,
    quietAfterSeconds: isKnown ? Math.max(WEEK, QUIET_TIMES * (lately.usual ?? 0)) : UNKNOWN_RHYTHM,
  }
}

/** A wrong clock may have stored a future instant. */
export const upToNow = (completeTo: number | null, now: number): number | null =>
  completeTo === null ? null : Math.min(completeTo, now)

const FILLING_SECONDS = 30

/** An empty file would look complete. Throws AppError('not_ready'). */
export function refuseUnfilled({ ratings, completeTo }: ArchiveState): void {
  if (ratings > 0 || completeTo !== null) return
  throw new AppError(
    'not_ready',
    'The archive is being filled for the first time. There is nothing to export yet.',
    { retryAfterSeconds: FILLING_SECONDS },
  )
}
