import { type Kysely, sql } from 'kysely'
import type { Gaps } from '#lib/contract/answers/state.ts'
import type { Tables } from './tables.ts'

type Range = Gaps['listed'][number]

/** Up to where the last whole import explains what is missing, and what it explains, newest first. */
type Covered = { key: string; listed: Range[] }

/** The gaps, and of them what need not be worked out again after the next commit. */
export type KnownGaps = { gaps: Gaps; covered: Covered }

const LISTED = 20

/**
 * The ids that are missing between the lowest and the highest of the archive. How many is told by arithmetic, so that ids
 * that lie far apart cost nothing; ranges are looked for above the last whole import only, and below it again only
 * where something changed there since `before`.
 */
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

/** How many whole numbers there are from one to another: more than a number can tell exactly, where ids are random. */
const span = (from: number, to: number): bigint => BigInt(to) - BigInt(from) + 1n

const toSafe = (count: bigint): number => Math.min(Number(count), Number.MAX_SAFE_INTEGER)

/** `edge` is the last id that the last whole import explains, or the lowest where there is none. */
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

/** Ids from one to another, both inclusive. */
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

/** Ids that a row in quarantine bears, and no rating. */
const unreadIds = (span: Span) => sql`
  select distinct rating_id as id from quarantine where ${within('rating_id', span)}
    and not exists (select 1 from rating where rating.id = rating_id and ${within('id', span)})`

async function countUnread(db: Kysely<Tables>, span: Span): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${unreadIds(span)}) as unread`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * What is missing from one id to another, newest first: ranges of `reason`, and between them what is in quarantine; of
 * both the newest {@link LISTED}.
 */
async function selectRanges(
  db: Kysely<Tables>,
  { reason, ...span }: Span & { reason: 'dump' | 'unknown' },
): Promise<Range[]> {
  const missing = await sql<{ from: number; to: number }>`
    select id + 1 as from, next - 1 as to from (
      select id, lead(id) over (order by id) as next from (
        select id from rating where ${within('id', span)} union all ${unreadIds(span)}
      ) as present
    ) as neighbours
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
