import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { median, timeMs } from './measure.ts'

const FACETS = [
  `select rating, action, created_at <= $AT and effective_until > $AT as active,
    effective_until <= $AT as expired, created_at // 5097600 as bin, count(*)
    from rating where $WHERE group by all`,
  `select symbol_key, count(*) from rating where $BUT_SYMBOL group by all order by 2 desc limit 20`,
  'select user_id, count(*) from rating where $WHERE group by all order by 2 desc limit 20',
  `select prediction_value // 10 as bin, count(*) from rating where $WHERE group by all`,
]

export type Asked = { where: string; butSymbol: string }

export type ByHand = {
  /** Milliseconds for all questions in parallel. */
  facets(questions: readonly Asked[]): Promise<number>
  close(): void
}

const CONNECTIONS = FACETS.length

export async function openByHand(dataDir: string): Promise<ByHand> {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-by-hand-'))
  for (const end of ['', '.wal']) {
    const from = join(dataDir, `archive.duckdb${end}`)
    if (existsSync(from)) cpSync(from, join(dir, `archive.duckdb${end}`))
  }
  const settings = { threads: '2', memory_limit: '256MB' }
  const instance = await DuckDBInstance.create(join(dir, 'archive.duckdb'), settings)
  const connections: DuckDBConnection[] = []
  for (let n = 0; n < CONNECTIONS; n += 1) connections.push(await instance.connect())
  const at = Math.floor(Date.now() / 1000)
  const ask = async ({ where, butSymbol }: Asked) => {
    await Promise.all(
      FACETS.map(async (text, index) => {
        const sql = text.replaceAll('$AT', String(at)).replaceAll('$WHERE', where)
        const result = await connections[index]?.run(sql.replaceAll('$BUT_SYMBOL', butSymbol))
        await result?.getRows()
      }),
    )
  }
  return {
    async facets(questions) {
      const times: number[] = []
      for (const question of questions) times.push(await timeMs(() => ask(question)))
      return median(times)
    },
    close() {
      for (const connection of connections) connection.closeSync()
      instance.closeSync()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
