import { type Kysely, sql } from 'kysely'
import { readRejectedId } from './rejected-id.ts'
import type { Tables } from './tables.ts'

/** So many quarantined rows are read at a time. */
const SLICE_ROWS = 1000

/**
 * Version 3: which ratings the service lists no more, how far its last whole dump reached, and what is known of the
 * rows that are no ratings. No rating had vanished before anybody looked, so nothing of them is written anew.
 */
export async function addVanished(db: Kysely<Tables>): Promise<void> {
  await sql`alter table rating add column vanished_at bigint`.execute(db)
  await sql`alter table journal add column covered_to_id bigint`.execute(db)
  await sql`alter table journal add column covered_at bigint`.execute(db)
  await sql`alter table journal add column quarantine_dropped bigint default 0`.execute(db)
  await sql`alter table quarantine add column rating_id bigint`.execute(db)
  await readIds(db)
}

async function readIds(db: Kysely<Tables>): Promise<void> {
  await sql`create temporary table read_id (place bigint, found bigint)`.execute(db)
  let from = 0
  for (;;) {
    const { rows } = await sql<{ place: number; raw: string }>`
      select rowid as place, raw from quarantine
      where rowid >= ${from} order by rowid limit ${SLICE_ROWS}`.execute(db)
    const last = rows.at(-1)
    if (!last) break
    const found = rows.flatMap(({ place, raw }) => {
      const id = readRejectedId(raw)
      return id === null ? [] : [sql`(${sql.lit(place)}, ${sql.lit(id)})`]
    })
    if (found.length > 0) await sql`insert into read_id values ${sql.join(found)}`.execute(db)
    from = last.place + 1
  }
  await sql`
    update quarantine set rating_id = found from read_id where quarantine.rowid = place`.execute(db)
  await sql`drop table read_id`.execute(db)
}
