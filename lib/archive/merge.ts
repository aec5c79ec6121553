import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { RATING_FIELDS } from '#lib/contract/rating.ts'
import { NEVER, type Tables } from './tables.ts'

export type MergeCounts = { inserted: number; updated: number; unchanged: number }

/** What is compared to tell an updated row from an unchanged one: all that came. */
const CONTENT = [...RATING_FIELDS, 'extra'] as const

/**
 * Brings the staged rows into `rating`, within the caller's transaction: each id's last row wins, and derived
 * columns are computed anew for the members and symbols that it touches.
 */
export async function mergeIncoming(db: Kysely<Tables>): Promise<MergeCounts> {
  const staged = await countStaged(db)
  const latest = staged.rows === staged.ids ? sql`incoming` : LATEST
  if (await holdsNothing(db)) {
    await insertAll(db, latest)
    return { inserted: staged.ids, updated: 0, unchanged: 0 }
  }
  const { inserted, updated } = await stageChanges(db, latest)
  if (inserted + updated > 0) {
    await stageTouched(db)
    await replaceTouched(db)
    await nameTouched(db)
    await sql`drop table touched`.execute(db)
  }
  await sql`drop table changed`.execute(db)
  return { inserted, updated, unchanged: staged.ids - inserted - updated }
}

/** Each staged id once, with its last row. */
const LATEST = sql`(
  select * from incoming
  where seq in (select max(again.seq) from incoming as again group by again.id)
)`

async function countStaged(db: Kysely<Tables>): Promise<{ rows: number; ids: number }> {
  return await db
    .selectFrom('incoming')
    .select((eb) => [
      eb.fn.countAll<number>().as('rows'),
      eb.fn.count<number>('id').distinct().as('ids'),
    ])
    .executeTakeFirstOrThrow()
}

async function holdsNothing(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom('rating').select('id').limit(1).executeTakeFirst()
  return row === undefined
}

async function stageChanges(
  db: Kysely<Tables>,
  latest: RawBuilder<unknown>,
): Promise<{ inserted: number; updated: number }> {
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

const DERIVED = sql`
  cast(prediction as decimal(18, 6)) as prediction_value,
  least(
    case when expired_at > 0 then expired_at else ${sql.lit(NEVER)} end,
    coalesce(lead(created_at) over own, ${sql.lit(NEVER)})
  ) as effective_until,
  lag(rating) over own as previous_rating,
  lag(prediction) over own as previous_prediction`

/** The member's ratings of one symbol, in the order in which they followed each other. */
const OWN = sql`window own as (partition by user_id, symbol_key order by created_at, id)`

const FIELDS = sql.join(RATING_FIELDS.map((name) => sql.ref(name)))

/** The first load, laid down in order of time: the engine then skips what a page or a range does not need. */
async function insertAll(db: Kysely<Tables>, latest: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into rating
    select ${FIELDS}, symbol_key, extra, ${DERIVED} from ${latest} as latest ${OWN}
    order by created_at, id`.execute(db)
  await sql`
    insert into symbol select symbol_key, min(symbol) from rating group by symbol_key`.execute(db)
}

/** Rewrites the changed rows, and of their neighbours those that are derived otherwise than before. */
async function replaceTouched(db: Kysely<Tables>): Promise<void> {
  await sql`
    create temporary table replacement as
    select * from (
      select ${FIELDS}, symbol_key, extra, ${DERIVED}, fresh,
        old_effective_until, old_previous_rating, old_previous_prediction
      from (
        select ${FIELDS}, symbol_key, extra, 1 as fresh, cast(null as bigint) as old_effective_until,
          cast(null as smallint) as old_previous_rating, cast(null as text) as old_previous_prediction
        from changed
        union all
        select ${FIELDS}, symbol_key, extra, 0, effective_until, previous_rating, previous_prediction
        from rating
        where (user_id, symbol_key) in (select user_id, symbol_key from touched)
          and id not in (select id from changed)
      ) as affected ${OWN}
    ) as derived
    where fresh = 1
      or effective_until is distinct from old_effective_until
      or previous_rating is distinct from old_previous_rating
      or previous_prediction is distinct from old_previous_prediction`.execute(db)
  await sql`delete from rating where id in (select id from replacement)`.execute(db)
  await sql`
    insert into rating
    select ${FIELDS}, symbol_key, extra, prediction_value, effective_until, previous_rating,
      previous_prediction
    from replacement order by created_at, id`.execute(db)
  await sql`drop table replacement`.execute(db)
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
