import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDoc } from '#components/docs/read-docs.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { serveApi } from '#testing/api/serve-api.ts'
import { hasProgram, runProgram } from '#testing/programs.ts'

const doc = await readDoc('notebook')
const blocksOf = (language: string) =>
  (doc?.blocks ?? []).flatMap((block) =>
    block.kind === 'code' && block.language === language ? [block.text] : [],
  )

let api: TestApi
let served: Awaited<ReturnType<typeof serveApi>>
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bellwether-notebook-'))
  api = await openTestApi({ ratings: 20_000, onDisk: true })
  await api.fill()
  const { invented } = api.service
  await api.archive.prices.replace(async (append) => {
    for await (const closes of invented?.closes(api.clock.now) ?? []) await append(closes)
  })
  served = await serveApi()
})
afterAll(async () => {
  await served.close()
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

async function fetchFiles(): Promise<void> {
  for (const block of blocksOf('sh')) {
    const script = `set -e\n${block.replaceAll('http://127.0.0.1:3000', served.origin)}`
    await runProgram('sh', ['-c', script], folder)
  }
}

type Row = Record<string, unknown>

/** The rows of each SELECT, in order. */
async function runSql(): Promise<Row[][]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`SET file_search_path = '${folder}'`)
  const results: Row[][] = []
  for (const statement of blocksOf('sql')
    .join('\n')
    .split(/;\s*(?:\n|$)/)) {
    if (statement.trim() === '') continue
    const read = await connection.runAndReadAll(statement)
    if (!statement.startsWith('CREATE')) results.push(read.getRowObjectsJson() as Row[])
  }
  connection.closeSync()
  return results
}

it.skipIf(!hasProgram('curl'))('runs in order by curl and DuckDB', async () => {
  await fetchFiles()
  const [months = [], [ratings] = [], [last] = [], sides = [], [all] = []] = await runSql()
  expect(months.length).toBeGreaterThan(100)
  expect(months.every(({ close }) => Number(close) > 0)).toBe(true)
  expect(Number(ratings?.active)).toBeGreaterThan(0)
  expect(Number(ratings?.active)).toBe(Number(last?.active))
  expect(Number(ratings?.consensus)).toBe(Number(last?.consensus))
  const total = sides.reduce((sum, { months: count }) => sum + Number(count), 0)
  expect(total).toBe(Number(all?.months))
  expect(total).toBeGreaterThan(50)
})
