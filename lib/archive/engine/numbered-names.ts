import { sql } from 'kysely'
import type { Session } from './duckdb-session.ts'

/** Creates the temporary table `table` of `name` and `code`, from 0, in the order of `names`. */
export async function createNumberedNames(
  { db, connection }: Pick<Session, 'db' | 'connection'>,
  table: string,
  names: readonly string[],
): Promise<void> {
  await sql`create or replace temporary table ${sql.ref(table)} (name text, code integer)`.execute(
    db,
  )
  const appender = await connection.createAppender(table, 'main', 'temp')
  try {
    for (const [code, name] of names.entries()) {
      appender.appendVarchar(name)
      appender.appendInteger(code)
      appender.endRow()
    }
    appender.flushSync()
  } finally {
    appender.closeSync()
  }
}
