import { type Kysely, sql } from 'kysely'
import type { WholeImport } from './archive.ts'
import { qualityBit } from './quality-bits.ts'
import type { Tables } from './tables.ts'

/**
 * What the staged rows should hold, were they all there are: ratings no newer than the newest of them, nor than the
 * instant that they are of, and not marked already.
 */
const isExpected = (whole: WholeImport | undefined) => sql`
  rating.vanished_at is null
  and rating.created_at <= (select max(created_at) from incoming)
  ${whole ? sql`and rating.created_at <= ${whole.at}` : sql``}`

/** A rating whose row came, but cannot be read any more, is still listed. */
const IS_MISSED = sql`
  not exists (select 1 from incoming where incoming.id = rating.id)
  and not exists (select 1 from incoming_rejected where incoming_rejected.rating_id = rating.id)`

/** Of the ratings that the staged rows should hold, those that they do not. */
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

/**
 * Marks them, within the caller's transaction and before the staged rows are merged. They end at the instant of the
 * import at the latest; nothing that is derived from them for their neighbours is another. Gives how many there are.
 */
export async function markVanished(db: Kysely<Tables>, whole: WholeImport): Promise<number> {
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
  await sql`drop table gone`.execute(db)
  return gone
}

/** Notes how far a whole import reached: ids up to its highest that it lacks are none that the service lists. */
export async function noteCovered(db: Kysely<Tables>, { at }: WholeImport): Promise<void> {
  await sql`
    update journal set covered_to_id = highest, covered_at = ${at}
    from (select max(id) as highest from incoming) as whole where highest is not null`.execute(db)
}
