import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { everyRowQuery, PLAIN_CSV } from '#lib/contract/export-choice.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import {
  isNearHost,
  quotePython,
  quoteSheets,
  quoteShell,
  quoteSql,
  toExportLines,
} from './export-lines.ts'

const ORIGIN = 'http://127.0.0.1:3000'
const ratings = (query: RatingsQuery) => ({
  of: 'ratings' as const,
  query: toParams(everyRowQuery, query),
})
const HOSTILE = [
  'A"B',
  "A'B",
  '$(id)',
  '`id`',
  'A\\',
  'A B',
  '日経',
  '*',
  'A&B=C#D',
  '!1',
  '%00',
  '{a,b}[1-9]',
]

it('the same rows are a line in each tool, with decimals kept exact', () => {
  const query = { ...EVERY_RATING, symbol: only('AAPL'), rating: only(4, 5) }
  const text = (format: 'csv' | 'json' | 'ndjson' | 'parquet') =>
    Object.fromEntries(
      toExportLines(ratings(query), { ...PLAIN_CSV, format }, ORIGIN).map(({ tool, text }) => [
        tool,
        text,
      ]),
    )
  expect(text('csv')).toEqual({
    curl: 'curl -fOJ "http://127.0.0.1:3000/api/ratings.csv?symbol=AAPL&rating=4,5"',
    pandas:
      'pandas.read_csv("http://127.0.0.1:3000/api/ratings.csv?symbol=AAPL&rating=4,5&formulas=exact", dtype={"prediction": str, "previous_prediction": str})',
    DuckDB:
      "FROM read_csv('http://127.0.0.1:3000/api/ratings.csv?symbol=AAPL&rating=4,5&formulas=exact', types = {'prediction': 'DECIMAL(18,6)', 'previous_prediction': 'DECIMAL(18,6)'})",
    'Google Sheets': '=IMPORTDATA("http://127.0.0.1:3000/api/ratings.csv?symbol=AAPL&rating=4,5")',
  })
  expect(text('parquet').DuckDB).toBe(
    "FROM read_parquet('http://127.0.0.1:3000/api/ratings.parquet?symbol=AAPL&rating=4,5')",
  )
  expect(text('json').pandas).toContain(
    'pandas.read_json("http://127.0.0.1:3000/api/ratings.ndjson',
  )
  expect(text('json').curl).toContain('/api/ratings.json?')
})

it('only columns that are there are given a type', () => {
  const lines = toExportLines(
    ratings(EVERY_RATING),
    { ...PLAIN_CSV, columns: ['id', 'prediction'] },
    ORIGIN,
  )
  expect(lines[1]?.text).toContain('dtype={"prediction": str})')
  const none = toExportLines(ratings(EVERY_RATING), { ...PLAIN_CSV, columns: ['id'] }, ORIGIN)
  expect(none[1]?.text).toMatch(/formulas=exact"\)$/)
  expect(none[2]?.text).toMatch(/formulas=exact'\)$/)
})

it('a league is read with its decimals exact, and in the order that it is shown in', () => {
  const users = { of: 'users' as const, query: new URLSearchParams('sort=-bias&page=3') }
  const lines = toExportLines(users, PLAIN_CSV, ORIGIN)
  expect(lines[1]?.text).toBe(
    'pandas.read_csv("http://127.0.0.1:3000/api/users.csv?sort=-bias&formulas=exact", dtype={"agreement_low": str, "bias": str})',
  )
  expect(lines[2]?.text).toContain("'bias': 'DECIMAL(18,4)'")
})

it('no symbol can break out of its quotes, in any of the tools', () => {
  const query = { ...EVERY_RATING, symbol: only(...HOSTILE) }
  const lines = toExportLines(ratings(query), PLAIN_CSV, ORIGIN)
  for (const { text } of lines) {
    const [, address = ''] = /["'](http:[^"']*)["']/.exec(text) ?? []
    expect(address).not.toMatch(/[\s"'`$\\!*{}[\]<>|;()]/)
    const given = new URL(address).searchParams.get('symbol') ?? ''
    for (const symbol of HOSTILE) expect(given).toContain(symbol.replaceAll('"', '""'))
  }
})

it('quoting holds, whatever is quoted', () => {
  for (const text of [...HOSTILE, HOSTILE.join('')]) {
    const shell = execFileSync('sh', ['-c', `printf %s ${quoteShell(text)}`], { encoding: 'utf8' })
    expect(shell).toBe(text)
    expect(JSON.parse(quotePython(text))).toBe(text)
    expect(quoteSql(text).slice(1, -1).replaceAll("''", '')).not.toContain("'")
    expect(quoteSheets(text).slice(1, -1).replaceAll('""', '')).not.toContain('"')
  }
})

it('an address that Google cannot reach is known as one', () => {
  for (const host of [
    'localhost',
    '127.0.0.1',
    '192.168.1.9',
    '10.0.0.2',
    '172.20.0.1',
    '[::1]',
    'nas',
    'nas.local',
  ]) {
    expect(isNearHost(host), host).toBe(true)
  }
  for (const host of ['ratings.example.com', '172.32.0.1', '8.8.8.8', '[2001:db8::1]']) {
    expect(isNearHost(host), host).toBe(false)
  }
})
