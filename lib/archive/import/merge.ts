import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { WholeImport } from '#lib/archive/archive.ts'
import { setSearchKeys } from '#lib/archive/engine/symbol-keys.ts'
import {
  DERIVED,
  DERIVED_NAMES,
  FIELDS,
  NEIGHBOR_NAMES,
  NEIGHBORS,
  OWN,
  qualityBit,
  type Tables,
} from '#lib/archive/engine/tables.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { csvRatings, insertCsv, type StagedCsv } from './csv-import.ts'

export type MergeCounts = { inserted: number; updated: number; unchanged: number } & {
  vanished: number
  returned: number
}

type MergeOptions = {
  rebuildAbove: number
  whole: WholeImport | undefined
  csv: StagedCsv | null
  vanishedAt?: RawBuilder<unknown>
  /** `ids` selects the changed ratings; null means all. */
  onMerged?: ((ids: RawBuilder<unknown> | null) => Promise<void>) | undefined
}

const CONTENT = [...RATING_FIELDS, 'extra'] as const

/** Each id's last row wins. Above `rebuildAbove` changed rows, the whole table is rewritten. */
export async function mergeIncoming(
  db: Kysely<Tables>,
  { rebuildAbove, whole, csv, vanishedAt = NOT_VANISHED, onMerged }: MergeOptions,
): Promise<MergeCounts> {
  const staged = csv ? { rows: csv.rows, ids: csv.rows } : await countStaged(db)
  const ontoNothing = await holdsNothing(db)
  if (ontoNothing && staged.rows === staged.ids) {
    await rebuild(db, { source: sql`incoming`, ontoNothing, csv, vanishedAt })
    if (staged.ids > 0) await onMerged?.(null)
    return { inserted: staged.ids, updated: 0, unchanged: 0, vanished: 0, returned: 0 }
  }
  const latest = csv ? csvRatings(csv) : staged.rows === staged.ids ? sql`incoming` : LATEST
  const { changed, inserted, updated, returned } = await stageChanges(db, latest, vanishedAt)
  const vanished = whole ? await markVanished(db, whole) : 0
  if (changed > rebuildAbove) await rebuild(db, { source: sql`changed`, ontoNothing })
  else if (changed > 0) await replaceTouched(db)
  if (changed + vanished > 0) await onMerged?.(sql`select id from changed ${whole ? GONE : sql``}`)
  await sql`drop table changed`.execute(db)
  if (whole) await sql`drop table gone`.execute(db)
  return { inserted, updated, unchanged: staged.ids - inserted - updated, vanished, returned }
}

const GONE = sql`union all select id from gone`

const LATEST = sql`(
  select * from incoming
  where seq in (select max(again.seq) from incoming as again group by again.id)
)`

type Staged = { rows: number; ids: number }

async function countStaged(db: Kysely<Tables>): Promise<Staged> {
  const counted = await sql<Staged>`
    select coalesce(sum(again), 0) as rows, count(*) as ids
    from (select count(*) as again from incoming group by id) as each`.execute(db)
  return counted.rows[0] ?? { rows: 0, ids: 0 }
}

async function holdsNothing(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom('rating').select('id').limit(1).executeTakeFirst()
  return row === undefined
}

type Changes = Pick<MergeCounts, 'inserted' | 'updated' | 'returned'> & { changed: number }

async function stageChanges(
  db: Kysely<Tables>,
  latest: RawBuilder<unknown>,
  vanishedAt: RawBuilder<unknown>,
): Promise<Changes> {
  await sql`
    create temporary table changed as
    select staged.*,
      case when rating.id is null then 0 when ${differs('staged', 'rating')} then 1 else 2 end
        as known,
      case when rating.vanished_at is null then 0 else 1 end as returned
    from (
      select ${FIELDS}, symbol_key, extra, ${vanishedAt} from ${latest} as latest
    ) as staged left join rating on rating.id = staged.id
    where rating.id is null or rating.vanished_at is distinct from staged.vanished_at
      or ${differs('staged', 'rating')}`.execute(db)
  return await db
    .selectFrom('changed')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('known', '=', 0).as('inserted'),
      eb.fn.countAll<number>().filterWhere('known', '=', 1).as('updated'),
      eb.fn.countAll<number>().filterWhere('returned', '=', 1).as('returned'),
      eb.fn.countAll<number>().as('changed'),
    ])
    .executeTakeFirstOrThrow()
}

function differs(left: string, right: string): Expression<SqlBool> {
  const pairs = CONTENT.map(
    (name) => sql`${sql.ref(`${left}.${name}`)} is distinct from ${sql.ref(`${right}.${name}`)}`,
  )
  return sql`(${sql.join(pairs, sql` or `)})`
}

async function stageTouched(db: Kysely<Tables>): Promise<void> {
  await sql`
    create temporary table touched as
    select user_id, symbol_key from changed
    union
    select user_id, symbol_key from rating where id in (select id from changed where known > 0)
  `.execute(db)
}

async function replaceTouched(db: Kysely<Tables>): Promise<void> {
  await stageTouched(db)
  await sql`
    create temporary table replacement as
    select * from (
      select ${FIELDS}, symbol_key, extra, ${DERIVED}, fresh,
        old_effective_until, old_previous_rating, old_previous_prediction, old_previous_created_at
      from (
        select *, ${NEIGHBORS} from (
          select ${FIELDS}, symbol_key, extra, vanished_at, 1 as fresh,
            cast(null as bigint) as old_effective_until,
            cast(null as smallint) as old_previous_rating,
            cast(null as text) as old_previous_prediction,
            cast(null as bigint) as old_previous_created_at
          from changed
          union all
          select ${FIELDS}, symbol_key, extra, vanished_at, 0, effective_until, previous_rating,
            previous_prediction, previous_created_at
          from rating
          where id in (
            select rating.id from rating join touched
              on touched.user_id = rating.user_id and touched.symbol_key = rating.symbol_key
            where rating.user_id in (select user_id from touched)
            except select id from changed
          )
        ) as affected ${OWN}
      ) as between_neighbors
    ) as derived
    where fresh = 1
      or effective_until is distinct from old_effective_until
      or previous_rating is distinct from old_previous_rating
      or previous_prediction is distinct from old_previous_prediction
      or previous_created_at is distinct from old_previous_created_at`.execute(db)
  await sql`delete from rating where id in (select id from replacement)`.execute(db)
  await sql`
    insert into rating
    select ${FIELDS}, symbol_key, extra, ${DERIVED_NAMES}
    from replacement order by created_at, id`.execute(db)
  await nameTouched(db)
  await sql`drop table replacement`.execute(db)
  await sql`drop table touched`.execute(db)
}

async function nameTouched(db: Kysely<Tables>): Promise<void> {
  await sql`delete from symbol where symbol_key in (select symbol_key from touched)`.execute(db)
  await sql`
    insert into symbol (symbol_key, symbol)
    select symbol_key, min(symbol) from rating
    where symbol_key in (select symbol_key from touched)
    group by symbol_key`.execute(db)
  await setSearchKeys(db)
}

/** Bounds memory. */
const SLICE_ROWS = 250_000

const PARTS = 1000

/** Writes in time order, so that the engine skips blocks. */
export async function rebuild(
  db: Kysely<Tables>,
  { source, ontoNothing, csv = null, vanishedAt = VANISHED_AT }: RebuildOptions,
): Promise<void> {
  await findNeighbors(db, source, ontoNothing)
  await sql`create table rating_next as select * from rating limit 0`.execute(db)
  if (csv?.isAscending) await insertCsv(db, csv)
  else {
    const rows = csv ? csvRatings(csv) : source
    for (const slice of await selectSlices(db))
      await insertSlice(
        db,
        sql`select ${FIELDS}, symbol_key, extra, ${vanishedAt} from ${rows} as rows`,
        slice,
      )
  }
  await sql`drop table neighbor`.execute(db)
  await sql`drop table rating`.execute(db)
  await sql`alter table rating_next rename to rating`.execute(db)
  await sql`delete from symbol`.execute(db)
  await sql`
    insert into symbol (symbol_key, symbol)
    select symbol_key, min(symbol) from rating group by symbol_key`.execute(db)
  await setSearchKeys(db)
}

type RebuildOptions = {
  source: RawBuilder<unknown>
  ontoNothing: boolean
  csv?: StagedCsv | null
  vanishedAt?: RawBuilder<unknown>
}

const VANISHED_AT = sql.ref('vanished_at')

const KEYS = sql`id, user_id, symbol_key, created_at, rating, prediction`

const NOT_VANISHED = sql`cast(null as bigint) as vanished_at`

async function findNeighbors(
  db: Kysely<Tables>,
  source: RawBuilder<unknown>,
  ontoNothing: boolean,
): Promise<void> {
  const kept = sql`
    union all
    select ${KEYS}, 0 from rating where id not in (select id from ${source} as replacing)`
  await sql`
    create temporary table neighbor as
    select id as of_id, created_at as of_created_at, fresh as of_fresh, ${NEIGHBORS}
    from (
      select ${KEYS}, 1 as fresh from ${source} as source ${ontoNothing ? sql`` : kept}
    ) as every ${OWN}
    order by of_created_at, of_id`.execute(db)
}

/** Seconds; excludes `to`. */
type Slice = { from: number; to: number }

async function selectSlices(db: Kysely<Tables>): Promise<Slice[]> {
  const { rows: bounds } = await sql<{ first: number; last: number }>`
    select min(of_created_at) as first, max(of_created_at) as last from neighbor
    having count(*) > 0`.execute(db)
  const [bound] = bounds
  if (!bound) return []
  const { first, last } = bound
  const width = Math.ceil((last - first + 1) / PARTS)
  const { rows: parts } = await sql<{ part: number; size: number }>`
    select cast(floor((of_created_at - cast(${first} as bigint)) / ${width}) as bigint) as part,
      count(*) as size
    from neighbor group by part order by part`.execute(db)
  const slices: Slice[] = []
  let [from, rows] = [first, 0]
  for (const { part, size } of parts) {
    rows += size
    if (rows < SLICE_ROWS) continue
    const to = first + (part + 1) * width
    slices.push({ from, to })
    from = to
    rows = 0
  }
  if (from <= last) slices.push({ from, to: last + 1 })
  return slices
}

async function insertSlice(
  db: Kysely<Tables>,
  source: RawBuilder<unknown>,
  { from, to }: Slice,
): Promise<void> {
  const within = (column: string) =>
    sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`
  await sql`
    insert into rating_next
    select ${FIELDS}, symbol_key, extra, ${DERIVED}
    from (
      select part.*, ${NEIGHBOR_NAMES}
      from (
        select *, 1 as fresh from (${source}) as source where ${within('created_at')}
        union all
        select ${FIELDS}, symbol_key, extra, vanished_at, 0 from rating where ${within('created_at')}
      ) as part
      join neighbor on of_id = id and of_fresh = fresh
      where ${within('of_created_at')}
    ) as between_neighbors
    order by created_at, id`.execute(db)
}

const isExpected = (whole: WholeImport | undefined) => sql`
  rating.vanished_at is null
  and rating.created_at <= (select max(created_at) from incoming)
  ${whole ? sql`and rating.created_at <= ${whole.at}` : sql``}`

/** A rejected row with a readable id is still listed. */
const IS_MISSED = sql`
  not exists (select 1 from incoming where incoming.id = rating.id)
  and not exists (select 1 from incoming_rejected where incoming_rejected.rating_id = rating.id)`

export async function countVanished(
  db: Kysely<Tables>,
  whole?: WholeImport,
): Promise<{ vanished: number; expected: number }> {
  const { rows } = await sql<{ vanished: number; expected: number }>`
    select
      (select count(*) from rating where ${isExpected(whole)}) as expected,
      (select count(*) from rating where ${isExpected(whole)} and ${IS_MISSED}) as vanished
  `.execute(db)
  return rows[0] ?? { vanished: 0, expected: 0 }
}

/** Must run before the merge. */
async function markVanished(db: Kysely<Tables>, whole: WholeImport): Promise<number> {
  await sql`
    create temporary table gone as
    select id from rating where ${isExpected(whole)} and ${IS_MISSED}`.execute(db)
  const { gone } = await db
    .selectFrom('gone')
    .select((eb) => eb.fn.countAll<number>().as('gone'))
    .executeTakeFirstOrThrow()
  if (gone > 0) {
    await sql`
      update rating set
        vanished_at = ${whole.at},
        effective_until = least(effective_until, ${whole.at}),
        quality = quality | ${sql.lit(qualityBit('vanished'))}
      where id in (select id from gone)`.execute(db)
  }
  return gone
}

export async function noteCovered(db: Kysely<Tables>, { at }: WholeImport): Promise<void> {
  await sql`
    update journal set covered_to_id = highest, covered_at = ${at}
    from (select max(id) as highest from incoming) as whole where highest is not null`.execute(db)
}
