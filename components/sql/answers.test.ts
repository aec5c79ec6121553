import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toListSql } from '#lib/contract/database/open-in-sql.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { openTestEngine } from '#testing/sql/open-engine.ts'
import type { Cells, Engine } from './engine.ts'
import { EXAMPLES } from './examples.ts'

/** The engine of the page on the file of the server, held against the API. */
let api: TestApi
let engine: Engine

const NAMES = {
  version: () => 1,
  of: () => null,
  find: () => [],
  report: () => ({ is_configured: false, file: null, names: 0, read_at: null, failure: null }),
}

beforeAll(async () => {
  api = await openTestApi({ onDisk: true, names: { ...NAMES, rejects: () => ({}) } as never })
  await api.fill()
  const symbols = (await load('/api/symbols?per_page=20')).data
  const first = Math.floor(api.clock.now / 86_400) - 900
  await api.archive.prices.replace(async (append) => {
    for (const [index, { symbol }] of symbols.entries()) {
      const days = Array.from({ length: 900 }, (_, day) => first + day)
      await append(
        days.map((day) => ({ symbol, day, close: `${100 + ((day * (index + 3)) % 17)}` })),
      )
    }
  })
  const { path } = await api.database.ensure({ tables: 'all' })
  engine = (await openTestEngine(new Blob([readFileSync(path)]))).engine
})
afterAll(async () => {
  engine.close()
  await api.close()
})

const { signal } = new AbortController()

// biome-ignore lint/suspicious/noExplicitAny: each question reads its own answer
const load = async (path: string): Promise<any> => await (await api.ask(path)).json()

const run = async (query: string): Promise<readonly Cells[]> =>
  (await engine.run(query, { sort: null, signal })).rows

const total = async (path: string) => [[String((await load(path)).page.total)]]

type Answer = readonly (readonly (string | number | null)[])[]

const seconds = (text: string) => `epoch(${text})::BIGINT`

const QUESTIONS: readonly [question: string, query: string, answer: () => Promise<Answer>][] = [
  ['how many ratings', 'SELECT count(*) FROM ratings', () => total('/api/ratings')],
  ['how many users', 'SELECT count(*) FROM users', () => total('/api/users')],
  ['how many symbols', 'SELECT count(*) FROM symbols', () => total('/api/symbols')],
  ['how many look-ups', 'SELECT count(*) FROM lookups', () => total('/api/lookups')],
  ['how many calls', 'SELECT count(*) FROM calls', () => total('/api/calls')],
  [
    'how many users rated',
    'SELECT count(DISTINCT user_id) FROM ratings',
    () => total('/api/users'),
  ],
  [
    'how many strong buys',
    'SELECT count(*) FROM ratings WHERE rating = 5',
    () => total('/api/ratings?rating=5'),
  ],
  [
    'how many upgrades of a year',
    "SELECT count(*) FROM ratings WHERE action = 2 AND created_at >= '2025-01-01' AND created_at < '2026-01-01'",
    () => total('/api/ratings?action=2&from=2025-01-01&to=2026-01-01'),
  ],
  [
    'how many are active',
    'SELECT count(*) FROM ratings WHERE ended_at IS NULL OR ended_at > (SELECT as_of FROM about)',
    () => total('/api/ratings?state=active'),
  ],
  [
    'how many are no longer listed',
    'SELECT count(*) FROM ratings WHERE vanished_at IS NOT NULL',
    () => total('/api/ratings?quality=vanished'),
  ],
  [
    'how many bold predictions',
    'SELECT count(*) FROM ratings WHERE prediction >= 20.5',
    () => total('/api/ratings?prediction_min=20.5'),
  ],
  [
    'how many never expire',
    'SELECT count(*) FROM ratings WHERE expired_at IS NULL',
    () => total('/api/ratings?expires=never'),
  ],
  [
    'how many ratings per code',
    'SELECT rating, count(*) FROM ratings GROUP BY rating ORDER BY rating',
    async () =>
      (await load('/api/facets')).data.rating
        .map(({ value, count }: Record<string, number>) => [value, count])
        .sort(([a = 0]: number[], [b = 0]: number[]) => a - b),
  ],
  [
    'which symbols have most ratings',
    'SELECT symbol, ratings FROM symbols ORDER BY ratings DESC, symbol LIMIT 10',
    async () =>
      (await load('/api/symbols?sort=-ratings&per_page=10')).data.map(
        ({ symbol, ratings }: Record<string, string>) => [symbol, ratings],
      ),
  ],
  [
    'the consensus of symbols',
    'SELECT symbol, active, consensus::DECIMAL(18,4) FROM symbols WHERE active > 0 ORDER BY symbol LIMIT 20',
    async () =>
      (await load('/api/symbols?sort=symbol&per_page=500')).data
        .filter(({ active }: { active: number }) => active > 0)
        .slice(0, 20)
        .map(({ symbol, active, consensus }: Record<string, string>) => [
          symbol,
          active,
          Number(consensus).toFixed(4),
        ]),
  ],
  [
    'the consensus, counted from the ratings',
    `SELECT symbol, avg(rating)::DECIMAL(18,4) FROM ratings
     WHERE created_at <= (SELECT as_of FROM about)
       AND (ended_at IS NULL OR ended_at > (SELECT as_of FROM about))
     GROUP BY symbol ORDER BY symbol LIMIT 5`,
    async () =>
      (await load('/api/symbols?sort=symbol&per_page=500')).data
        .filter(({ active }: { active: number }) => active > 0)
        .slice(0, 5)
        .map(({ symbol, consensus }: Record<string, string>) => [
          symbol,
          Number(consensus).toFixed(4),
        ]),
  ],
  [
    'who rates most',
    'SELECT user_id, ratings, symbols FROM users ORDER BY ratings DESC, user_id LIMIT 10',
    async () =>
      (await load('/api/users?sort=-ratings&per_page=10')).data.map(
        (row: Record<string, number>) => [row.user_id, row.ratings, row.symbols],
      ),
  ],
  [
    'the newest ratings',
    `SELECT id, symbol, prediction, ${seconds('created_at')}, ${seconds('expired_at')}
     FROM ratings ORDER BY created_at DESC, id DESC LIMIT 20`,
    async () =>
      (await load('/api/ratings?per_page=20')).data.map((row: Record<string, string>) => [
        row.id,
        row.symbol,
        Number(row.prediction).toFixed(6),
        row.created_at,
        row.expired_at || null,
      ]),
  ],
  [
    'the newest look-ups',
    `SELECT id, symbol, source, ${seconds('created_at')} FROM lookups
     ORDER BY created_at DESC, id DESC LIMIT 20`,
    async () =>
      (await load('/api/lookups?per_page=20')).data.map((row: Record<string, string>) => [
        row.id,
        row.symbol,
        row.source ?? null,
        row.created_at,
      ]),
  ],
  [
    'the hit rate of the community',
    'SELECT count(*) FILTER (hit = 1), count(*) FILTER (hit IS NOT NULL) FROM calls',
    async () => {
      const calls = (await (await api.ask('/api/calls.ndjson')).text()).trim().split('\n')
      const hits = calls.map((line) => JSON.parse(line).hit).filter((hit) => hit !== null)
      return [[hits.filter((hit) => Number(hit) === 1).length, hits.length]]
    },
  ],
]

describe('twenty questions in SQL have the answers of the API', () => {
  it.each(QUESTIONS)('%s', async (_, query, toAnswer) => {
    const answer = await toAnswer()
    expect(answer.length).toBeGreaterThan(0)
    expect(await run(query)).toEqual(
      answer.map((row) => row.map((value) => (value === null ? null : String(value)))),
    )
  })
})

describe('a list that is opened in SQL has the rows of the API', () => {
  it.each([
    ['ratings', 'rating=4,5&state=active'],
    ['ratings', 'symbol=-AAPL&created=2025,2026&rating=-3'],
    ['ratings', 'quality=-initiated_twice,-extreme_prediction&prediction_min=1.5'],
    ['users', 'q=1'],
    ['lookups', 'symbol=-AAPL&from=2026-01-01'],
    ['calls', 'from=2025-06-01'],
  ] as const)('%s?%s', async (of, query) => {
    const sql = toListSql(of, new URLSearchParams(query), api.clock.now) ?? ''
    const { page } = await load(`/api/${of}?${query}`)
    expect(await engine.count(sql, signal)).toBe(page.total)
    expect(page.total).toBeGreaterThan(0)
  })
})

describe('each example', () => {
  it.each(EXAMPLES.map((example) => [example.title, example] as const))(
    '“%s” runs, and has the columns of its chart',
    async (_, { query, chart }) => {
      const { columns } = await engine.run(query, { sort: null, signal })
      const names = columns.map(({ name }) => name)
      if (chart) expect(names).toEqual(expect.arrayContaining([chart.x, chart.y]))
      expect(names.length).toBeGreaterThan(1)
    },
  )
})
