import { type Kysely, sql } from 'kysely'
import { QUALITY_BITS } from './quality-bits.ts'
import type { Tables } from './tables.ts'

/** So many rows are written at a time: what keeps memory flat however large the archive is. */
const SLICE_ROWS = 250_000

/**
 * Version 2: when the member's rating before was posted, and the lenses that a rating falls under. They are worked out
 * over narrow rows; then the table is written anew in its own order, slice by slice, within the caller's transaction.
 * Whoever changes what a lens means adds an entry of his own that works `quality` out again.
 */
export async function addQuality(db: Kysely<Tables>, sliceRows = SLICE_ROWS): Promise<void> {
  await sql`
    create temporary table worked_out as
    select place, previous_created_at, ${QUALITY_BITS} as quality from (
      select rowid as place, rating, action, prediction_value, created_at, expired_at,
        previous_rating, cast(null as bigint) as vanished_at,
        lag(created_at) over (partition by user_id, symbol_key order by created_at, id)
          as previous_created_at
      from rating
    ) as followed
    order by place`.execute(db)
  await sql`
    create table rating_next as
    select rating.*, previous_created_at, quality from rating, worked_out limit 0`.execute(db)
  const { rows } = await sql<{ last: number | null }>`
    select max(place) as last from worked_out`.execute(db)
  const last = rows[0]?.last ?? -1
  for (let from = 0; from <= last; from += sliceRows) await copySlice(db, from, from + sliceRows)
  await sql`drop table worked_out`.execute(db)
  await sql`drop table rating`.execute(db)
  await sql`alter table rating_next rename to rating`.execute(db)
}

/** Rows from one place in the table to before another. */
async function copySlice(db: Kysely<Tables>, from: number, to: number): Promise<void> {
  const within = (column: string) =>
    sql`${sql.ref(column)} >= ${sql.lit(from)} and ${sql.ref(column)} < ${sql.lit(to)}`
  await sql`
    insert into rating_next
    select rating.*, previous_created_at, quality
    from rating join worked_out on place = rating.rowid
    where ${within('rating.rowid')} and ${within('place')}
    order by place`.execute(db)
}
