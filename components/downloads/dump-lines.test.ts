import { expect, test } from 'vitest'
import { toLines } from '#components/export/open-in.tsx'
import type { Dump } from '#lib/contract/answers/status.ts'
import { toDumpSource } from './dump-lines.tsx'

const dump: Dump = {
  kind: 'posts',
  state: 'ready',
  reason: null,
  progress: null,
  file_name: 'posts-2026-11-15.csv',
  edition: null,
  columns: ['id', 'symbol', 'prediction', 'odd'].map((name) => ({ name, type: 'text' })),
  first_rows: [],
  next_due_at: 0,
  aside: null,
  cost: 1,
}

const ADDRESS = 'https://ratings.example.org/api/v1/posts/dumps'
const linesOf = (needsToken: boolean) =>
  toLines(toDumpSource(dump, { origin: 'https://ratings.example.org', needsToken }))

test('the curl line resumes into a file of its own name', () => {
  expect(linesOf(false).curl).toBe(`curl -fC - -o posts-2026-11-15.csv "${ADDRESS}"`)
  expect(linesOf(true).curl).toBe(
    `curl -fC - -o posts-2026-11-15.csv -H "Authorization: Bearer YOUR_TOKEN" "${ADDRESS}"`,
  )
})

test('a dump is read as it is, with text and decimals as text', () => {
  expect(linesOf(false)).toMatchObject({
    duckdb: `FROM read_csv('${ADDRESS}', types = {'symbol': 'VARCHAR', 'prediction': 'VARCHAR'});`,
  })
  const plain = toDumpSource({ ...dump, columns: [] }, { origin: '', needsToken: false })
  const lines = toLines({ ...plain, csv: ADDRESS })
  expect(lines.duckdb).toBe(`FROM read_csv('${ADDRESS}');`)
})
