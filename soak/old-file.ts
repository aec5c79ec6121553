import { rename, rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { openEngine } from '#lib/archive/duckdb-engine.ts'
import { migrate } from '#lib/archive/migrations.ts'

const OLD = 2

/** Puts an archive of version 2 in the place of one of today that nobody has open; rows that vanished are not in it. */
export async function makeOldFile(path: string): Promise<void> {
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
        insert into ${sql.table(table)} select ${names} from ${sql.table(`newer.${table}`)}
        ${table === 'rating' ? sql`where vanished_at is null` : sql``}`.execute(db)
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
