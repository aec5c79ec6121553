import { expect, it } from 'vitest'
import { type ExportColumn, everyRowQuery } from '#lib/contract/export-choice.ts'
import { EXPORT_FORMATS } from '#lib/contract/export-formats.ts'
import { LISTS, type ListPath } from '#lib/contract/lists/lists.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { TOOLS, type Tool, toExportSource, toLines } from './open-in.tsx'

const OPEN = { origin: 'https://ratings.example.org', needsToken: false }
const SIGNED = { ...OPEN, needsToken: true }

const SUBJECTS: readonly ListPath[] = LISTS.map(({ path }) => path)

const toFormats = (of: ListPath) => LISTS.find(({ path }) => path === of)?.formats ?? EXPORT_FORMATS

const sourceOf = (
  of: ListPath,
  { query = '', columns = [] as ExportColumn[], server = OPEN } = {},
) =>
  toExportSource(
    {
      of,
      query: new URLSearchParams(query),
      choice: { format: 'csv', columns, isForExcel: true },
      formats: toFormats(of),
    },
    server,
  )

const ratingsQuery = (query: RatingsQuery) => toParams(everyRowQuery, query).toString()

it('ratings open in each tool with exact decimals and times in UTC', () => {
  const query = ratingsQuery({ ...EVERY_RATING, symbol: only('AAPL'), rating: only(4, 5) })
  const columns = ['symbol', 'prediction', 'created_at'] as const
  expect(toLines(sourceOf('ratings', { query, columns: [...columns] }))).toEqual({
    duckdb: `SELECT * REPLACE (make_timestamp("created_at" * 1000000) AS "created_at")
FROM read_parquet('https://ratings.example.org/api/ratings.parquet?symbol=AAPL&rating=4,5&columns=symbol,prediction,created_at');`,
    pandas: `import pandas
rows = pandas.read_parquet("https://ratings.example.org/api/ratings.parquet?symbol=AAPL&rating=4,5&columns=symbol,prediction,created_at")
for time in ["created_at"]:
    rows[time] = pandas.to_datetime(rows[time], unit="s", utc=True)`,
    curl: 'curl -fOJ "https://ratings.example.org/api/ratings.csv?symbol=AAPL&rating=4,5&columns=symbol,prediction,created_at&excel=1"',
  })
})

it('a league, which has no Parquet, is typed as CSV, in the order shown', () => {
  const { duckdb, pandas } = toLines(sourceOf('users', { query: 'sort=-excess&page=3' }))
  const address = 'https://ratings.example.org/api/users.csv?sort=-excess'
  expect(duckdb).toContain(`FROM read_csv('${address}', types = {'user_id': 'BIGINT'`)
  expect(duckdb).toContain(`'hit_rate': 'DECIMAL(18,6)'`)
  expect(pandas).toContain(
    `pandas.read_csv("${address}", dtype={"last_created_at_date": str, "hit_rate": str`,
  )
})

it('with sign-in every tool sends a placeholder, and never puts it in the address', () => {
  for (const of of SUBJECTS) {
    const lines = toLines(sourceOf(of, { server: SIGNED }))
    for (const [tool, text] of Object.entries(lines)) {
      expect(text, `${of} ${tool}`).toContain('Bearer YOUR_TOKEN')
      expect(text.match(/https:[^"']*/g)?.join(' '), `${of} ${tool}`).not.toContain('TOKEN')
    }
    expect(Object.values(toLines(sourceOf(of))).join('')).not.toMatch(/token|authorization/i)
  }
  const { duckdb } = toLines(sourceOf('lookups', { server: SIGNED }))
  expect(duckdb).toMatch(
    /^CREATE OR REPLACE SECRET bellwether \(TYPE http, SCOPE 'https:\/\/ratings\.example\.org', /,
  )
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
  '%PATH%',
  '{a,b}[1-9]',
  "');--",
  '^|<>;~',
]

it('no symbol breaks out of its quotes in any tool or shell', () => {
  const query = ratingsQuery({ ...EVERY_RATING, symbol: only(...HOSTILE) })
  for (const [tool, text] of Object.entries(toLines(sourceOf('ratings', { query })))) {
    const [, address = ''] = /["'](https:[^"']*)["']/.exec(text) ?? []
    expect(address, tool).toMatch(/^[\w\-.~:/?&=,+%]+$/)
    const given = new URL(address).searchParams.get('symbol') ?? ''
    for (const symbol of HOSTILE) expect(given).toContain(symbol.replaceAll('"', '""'))
  }
})

/** Brackets and quotes pair up, which is what a broken template would break first. */
function isBalanced(text: string): boolean {
  const open: string[] = []
  const pairs: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
  let quote = ''
  for (const sign of text) {
    if (quote) quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if ('([{'.includes(sign)) open.push(sign)
    else if (sign in pairs && open.pop() !== pairs[sign]) return false
  }
  return quote === '' && open.length === 0
}

it('every line of every list is whole, in every tool', () => {
  for (const of of SUBJECTS) {
    for (const server of [OPEN, SIGNED]) {
      const lines = toLines(sourceOf(of, { server }))
      expect(Object.keys(lines)).toEqual(Object.keys(TOOLS))
      for (const tool of Object.keys(TOOLS) as Tool[]) {
        const text = lines[tool]
        expect(isBalanced(text), `${of} ${tool}: ${text}`).toBe(true)
        expect(text, `${of} ${tool}`).toContain(`/api/${of}.`)
        expect(text, `${of} ${tool}`).not.toMatch(/undefined|\(, |, ,|, \)|\{\}|\[\]/)
      }
    }
  }
})
