import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import type { WholeImport } from './archive.ts'
import { csvRatings } from './csv-source.ts'
import { DERIVED, DERIVED_NAMES, FIELDS, OWN } from './derived-columns.ts'
import { rebuild } from './rebuild.ts'
import type { StagedCsv } from './stage-csv.ts'
import type { Tables } from './tables.ts'
import { markVanished } from './vanished.ts'

export type MergeCounts = { inserted: number; updated: number; unchanged: number } & {
  vanished: number
  returned: number
}

export type MergeOptions = {
  rebuildAbove: number
  whole: WholeImport | undefined
  /** The file that the staged rows wait in, where only their keys are staged. */
  csv: StagedCsv | null
}

/** What is compared to tell an updated row from an unchanged one: all that came. */
const CONTENT = [...RATING_FIELDS, 'extra'] as const

/**
 * Brings the staged rows into `rating`, within the caller's transaction: each id's last row wins, and derived
 * columns are computed anew for the members and symbols that it touches. Above `rebuildAbove` changed rows the whole
 * table is written anew: cheaper then, and in order of time again. With `whole`, what the staged rows lack is marked.
 */
export async function mergeIncoming(
  db: Kysely<Tables>,
  { rebuildAbove, whole, csv }: MergeOptions,
): Promise<MergeCounts> {
  const staged = csv ? { rows: csv.rows, ids: csv.rows } : await countStaged(db)
  const ontoNothing = await holdsNothing(db)
  if (ontoNothing && staged.rows === staged.ids) {
    await rebuild(db, { source: sql`incoming`, ontoNothing, csv })
    return { inserted: staged.ids, updated: 0, unchanged: 0, vanished: 0, returned: 0 }
  }
  const { changed, inserted, updated, returned } = await stageChanges(
    db,
    csv ? csvRatings(csv) : staged.rows === staged.ids ? sql`incoming` : LATEST,
  )
  const vanished = whole ? await markVanished(db, whole) : 0
  if (changed > rebuildAbove) await rebuild(db, { source: sql`changed`, ontoNothing })
  else if (changed > 0) await replaceTouched(db)
  await sql`drop table changed`.execute(db)
  return { inserted, updated, unchanged: staged.ids - inserted - updated, vanished, returned }
}

/** Each staged id once, with its last row. */
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

/** What comes as it is known is written only where it had vanished. */
async function stageChanges(db: Kysely<Tables>, latest: RawBuilder<unknown>): Promise<Changes> {
  await sql`
    create temporary table changed as
    select staged.*,
      case when rating.id is null then 0 when ${differs('staged', 'rating')} then 1 else 2 end
        as known,
      case when rating.vanished_at is null then 0 else 1 end as returned
    from ${latest} as staged left join rating on rating.id = staged.id
    where rating.id is null or rating.vanished_at is not null or ${differs('staged', 'rating')}
  `.execute(db)
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

/** Whether two rows of the same id differ in anything that came. */
function differs(left: string, right: string): Expression<SqlBool> {
  const pairs = CONTENT.map(
    (name) => sql`${sql.ref(`${left}.${name}`)} is distinct from ${sql.ref(`${right}.${name}`)}`,
  )
  return sql`(${sql.join(pairs, sql` or `)})`
}

/** A changed row touches its member's ratings of the symbol, and those of the pair that it belonged to before. */
async function stageTouched(db: Kysely<Tables>): Promise<void> {
  await sql`
    create temporary table touched as
    select user_id, symbol_key from changed
    union
    select user_id, symbol_key from rating where id in (select id from changed where known > 0)
  `.execute(db)
}

/** Rewrites the changed rows, and of their neighbours those that are derived otherwise than before. */
async function replaceTouched(db: Kysely<Tables>): Promise<void> {
  await stageTouched(db)
  await sql`
    create temporary table replacement as
    select * from (
      select ${FIELDS}, symbol_key, extra, ${DERIVED}, fresh,
        old_effective_until, old_previous_rating, old_previous_prediction, old_previous_created_at
      from (
        select ${FIELDS}, symbol_key, extra, cast(null as bigint) as vanished_at, 1 as fresh,
          cast(null as bigint) as old_effective_until,
          cast(null as smallint) as old_previous_rating, cast(null as text) as old_previous_prediction,
          cast(null as bigint) as old_previous_created_at
        from changed
        union all
        select ${FIELDS}, symbol_key, extra, vanished_at, 0, effective_until, previous_rating, previous_prediction,
          previous_created_at
        from rating
        where id in (
          select rating.id from rating join touched
            on touched.user_id = rating.user_id and touched.symbol_key = rating.symbol_key
          where rating.user_id in (select user_id from touched)
          except select id from changed
        )
      ) as affected ${OWN}
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

/** A symbol that came in several spellings is shown in the one that sorts first. */
async function nameTouched(db: Kysely<Tables>): Promise<void> {
  await sql`delete from symbol where symbol_key in (select symbol_key from touched)`.execute(db)
  await sql`
    insert into symbol
    select symbol_key, min(symbol) from rating
    where symbol_key in (select symbol_key from touched)
    group by symbol_key`.execute(db)
}
