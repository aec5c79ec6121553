import { rename, rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { openEngine } from '#lib/archive/duckdb-engine.ts'
import { migrate } from '#lib/archive/migrations.ts'
import { rebuild } from '#lib/archive/rebuild.ts'

const OLD = 2

/** Puts an archive of version 2 in the place of one of today that nobody has open; rows that vanished are not in it. */
export async function makeOldFile(path: string): Promise<void> {
  await forgetVanished(path)
  const made = `${path}.old`
  const engine = await openEngine({ path: made, memoryLimit: '512MB', threads: 2 })
  try {
    const { db } = engine.writer
    await migrate(db, OLD)
    await sql`attach ${sql.lit(path)} as newer (read_only)`.execute(db)
    for (const table of ['rating', 'symbol', 'quarantine', 'journal']) {
      const { rows } = await sql<{ name: string }>`
        select column_name as name from duckdb_columns()
        where database_name = current_database() and table_name = ${table}
        order by column_index`.execute(db)
      const names = sql.join(rows.map(({ name }) => sql.ref(name)))
      await sql`delete from ${sql.table(table)}`.execute(db)
      await sql`
        insert into ${sql.table(table)} select ${names} from ${sql.table(`newer.${table}`)}`.execute(
        db,
      )
    }
    await sql`update journal set schema_version = ${OLD}`.execute(db)
    await sql`detach newer`.execute(db)
    await sql`checkpoint`.execute(db)
  } finally {
    await engine.close()
  }
  await rm(`${path}.v${OLD}`, { force: true })
  await rename(made, path)
}

/** What the others have from their neighbours is worked out without them. */
async function forgetVanished(path: string): Promise<void> {
  const engine = await openEngine({ path, memoryLimit: '512MB', threads: 2 })
  try {
    await engine.writer.db.transaction().execute(async (db) => {
      await sql`delete from rating where vanished_at is not null`.execute(db)
      await sql`create temporary table nothing as select * from rating limit 0`.execute(db)
      await rebuild(db, { source: sql`nothing`, ontoNothing: false })
    })
  } finally {
    await engine.close()
  }
}
