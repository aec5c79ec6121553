import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

/** A file as the server writes it, with the tables of `statements` in the schema `made`. */
export async function makeDatabase(statements: readonly string[]): Promise<Blob> {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-sql-'))
  const path = join(folder, 'made.duckdb')
  try {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(`ATTACH '${path}' AS made (STORAGE_VERSION 'v1.0.0')`)
    await connection.run('USE made')
    for (const statement of statements) await connection.run(statement)
    connection.closeSync()
    instance.closeSync()
    return new Blob([readFileSync(path)])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
