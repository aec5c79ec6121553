import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { DERIVED, DERIVED_NAMES, FIELDS, OWN } from './derived-columns.ts'
import { rebuild } from './rebuild.ts'
import type { Tables } from './tables.ts'

export type MergeCounts = { inserted: number; updated: number; unchanged: number }

/** What is compared to tell an updated row from an unchanged one: all that came. */
const CONTENT = [...RATING_FIELDS, 'extra'] as const

/**
 * Brings the staged rows into `rating`, within the caller's transaction: each id's last row wins, and derived
 * columns are computed anew for the members and symbols that it touches. Above `rebuildAbove` changed rows the whole
 * table is written anew: cheaper then, and in order of time again.
 */
export async function mergeIncoming(
  db: Kysely<Tables>,
  rebuildAbove: number,
): Promise<MergeCounts> {
  const staged = await countStaged(db)
  const ontoNothing = await holdsNothing(db)
  if (ontoNothing && staged.rows === staged.ids) {
    await rebuild(db, { source: sql`incoming`, ontoNothing })
    return { inserted: staged.ids, updated: 0, unchanged: 0 }
  }
  const { inserted, updated } = await stageChanges(db, staged)
  const changed = inserted + updated
  if (changed > rebuildAbove) await rebuild(db, { source: sql`changed`, ontoNothing })
  else if (changed > 0) await replaceTouched(db)
  await sql`drop table changed`.execute(db)
  return { inserted, updated, unchanged: staged.ids - changed }
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

async function stageChanges(
  db: Kysely<Tables>,
  staged: Staged,
): Promise<{ inserted: number; updated: number }> {
  const latest = staged.rows === staged.ids ? sql`incoming` : LATEST
  await sql`
    create temporary table changed as
    select staged.*, case when rating.id is null then 0 else 1 end as known
    from ${latest} as staged left join rating on rating.id = staged.id
    where rating.id is null or ${differs('staged', 'rating')}`.execute(db)
  return await db
    .selectFrom('changed')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('known', '=', 0).as('inserted'),
      eb.fn.countAll<number>().filterWhere('known', '=', 1).as('updated'),
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
    select user_id, symbol_key from rating where id in (select id from changed where known = 1)
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
        select ${FIELDS}, symbol_key, extra, 1 as fresh, cast(null as bigint) as old_effective_until,
          cast(null as smallint) as old_previous_rating, cast(null as text) as old_previous_prediction,
          cast(null as bigint) as old_previous_created_at
        from changed
        union all
        select ${FIELDS}, symbol_key, extra, 0, effective_until, previous_rating, previous_prediction,
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
