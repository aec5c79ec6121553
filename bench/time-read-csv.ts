import { rm } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { timeMs } from './measure.ts'

/** How long the engine itself takes to read a CSV file into a table of memory, or of a file that is removed again; in ms. */
export async function timeReadCsv(path: string, target = ':memory:'): Promise<number> {
  const removed = async () => {
    if (target === ':memory:') return
    for (const end of ['', '.wal']) await rm(`${target}${end}`, { force: true })
  }
  await removed()
  const instance = await DuckDBInstance.create(target, { threads: '2' })
  const connection = await instance.connect()
  try {
    return await timeMs(() =>
      connection.run('create table dump as select * from read_csv($1)', [path]),
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
    await removed()
  }
}
