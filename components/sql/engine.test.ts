import * as library from '@duckdb/duckdb-wasm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDatabase } from '#testing/sql/make-database.ts'
import { openTestEngine, startWorker } from '#testing/sql/open-engine.ts'
import { type Cells, type Engine, EngineLost, openEngine } from './engine.ts'
import { SHOWN_COLUMNS, SHOWN_LENGTH, SHOWN_ROWS, SqlError } from './statement.ts'

let engine: Engine
let worker: Worker
let database: Blob

beforeAll(async () => {
  database = await makeDatabase([
    `CREATE TABLE ratings AS SELECT
       i::INTEGER AS id, 'S' || i % 7 AS symbol, (i / 3)::DECIMAL(18, 6) AS prediction,
       i * 1000000007::BIGINT AS big, TIMESTAMP '2020-01-01' + to_minutes(i) AS created_at
     FROM range(5000) t(i)`,
    `CREATE TABLE hostile AS SELECT '=cmd()' AS x, chr(8238) || 'a' AS "na""me"`,
  ])
  const opened = await openTestEngine(database)
  engine = opened.engine
  worker = opened.worker
})
afterAll(() => engine.close())

const forever = new AbortController().signal

const run = (query: string, sort: Parameters<Engine['run']>[1]['sort'] = null) =>
  engine.run(query, { sort, signal: forever })

const failure = async (query: string): Promise<SqlError> => {
  const error: unknown = await run(query).catch((thrown: unknown) => thrown)
  if (!(error instanceof SqlError)) throw new Error(`No SqlError: ${String(error)}`)
  return error
}

describe('values', () => {
  it('are the text of DuckDB, so that none is rounded', async () => {
    const { rows, columns } = await run(
      `SELECT 9007199254740993::BIGINT, 0.1::DECIMAL(18,6), 170141183460469231731687303715884105727::HUGEINT,
         TIMESTAMP '2020-01-01 00:00:00.123456', NULL, true, [1, 2], {'a': 'b'}, 1::DOUBLE / 3`,
    )
    expect(rows).toEqual([
      [
        '9007199254740993',
        '0.100000',
        '170141183460469231731687303715884105727',
        '2020-01-01 00:00:00.123456',
        null,
        'true',
        '[1, 2]',
        "{'a': b}",
        '0.3333333333333333',
      ],
    ])
    expect(columns.map(({ type }) => type).slice(0, 4)).toEqual([
      'BIGINT',
      'DECIMAL(18,6)',
      'HUGEINT',
      'TIMESTAMP',
    ])
  })

  it('of a result are bounded in rows, columns and length, and the result says so', async () => {
    const names = Array.from({ length: SHOWN_COLUMNS + 5 }, (_, index) => `${index} AS n${index}`)
    const wide = await run(`SELECT ${names.join(', ')} FROM range(10000000)`)
    expect(wide.rows).toHaveLength(SHOWN_ROWS)
    expect(wide.hasMore).toBe(true)
    expect(wide.columns).toHaveLength(SHOWN_COLUMNS + 5)
    expect(wide.rows[0]).toHaveLength(SHOWN_COLUMNS)
    const [[long] = []] = (await run("SELECT repeat('x', 1000000)")).rows
    expect(long).toHaveLength(SHOWN_LENGTH + 1)
    expect((await run('SELECT * FROM range(1000)')).hasMore).toBe(false)
  })

  it('of columns with equal, odd or hostile names are told apart', async () => {
    const { columns, rows } = await run('SELECT 1 AS a, 2 AS a, 3 AS "A", * FROM hostile')
    expect(new Set(columns.map(({ name }) => name)).size).toBe(5)
    expect(rows).toEqual([['1', '2', '3', '=cmd()', '\u202ea']])
  })
})

describe('a query', () => {
  it.each([
    'SELECT 1 AS x;',
    'SELECT 1 AS x -- last',
    'SELECT 1 AS x; ; -- ;\n',
    '/* ; */ FROM (VALUES (1)) t(x)',
    '(SELECT 1 AS x)',
    'WITH t AS (SELECT 1 AS x) SELECT * FROM t',
  ])('may end and begin with comments and semicolons: %s', async (query) => {
    expect((await run(query)).rows).toEqual([['1']])
  })

  it.each(['DESCRIBE ratings', 'SHOW TABLES', 'SUMMARIZE ratings', 'TABLE hostile'])(
    'may be %s',
    async (query) => {
      expect((await run(query)).rows.length).toBeGreaterThan(0)
    },
  )

  it('is sorted over all of its rows, by type, with nulls last', async () => {
    const direction = 'desc'
    const { rows } = await run('SELECT id FROM ratings', { column: 'id', direction })
    expect(rows.slice(0, 2)).toEqual([['4999'], ['4998']])
    const withNull = await run('SELECT * FROM (VALUES (2), (NULL), (10)) t(x)', {
      column: 'x',
      direction,
    })
    expect(withNull.rows).toEqual([['10'], ['2'], [null]])
    const unknown = await run('SELECT 1 AS x', { column: 'no such', direction })
    expect(unknown.rows).toEqual([['1']])
  })

  it('is counted, and read as a whole', async () => {
    expect(await engine.count('SELECT * FROM ratings -- all', forever)).toBe(5000)
    const seen: Cells[] = []
    await engine.read('SELECT id FROM ratings', {
      sort: { column: 'id', direction: 'desc' },
      signal: forever,
      onRows: async (rows) => void seen.push(...rows),
    })
    expect(seen).toHaveLength(5000)
    expect(seen[0]).toEqual(['4999'])
  })
})

describe('an error', () => {
  it.each([
    ['SELEC 1', 0],
    ['SELECT id\nFROM ratings\nWHERE nope = 1', 29],
    ["SELECT 'é😀', nope FROM ratings", 14],
    ['SELECT * FROM rating', 14],
    ["SELECT 'a'::INTEGER", 10],
    ['SELECT (1', 9],
    ['WITH a AS (FROM ratings)\nINSERT INTO ratings FROM a', 25],
    ['PIVOT ratings ON nope', 17],
    ['FROM (PIVOT rating ON symbol)', 12],
  ])('names its place in the query: %s', async (query, at) => {
    expect((await failure(query)).at).toBe(at)
  })

  it('proposes the name that was meant', async () => {
    expect((await failure('SELECT * FROM rating')).message).toMatch(/Did you mean "ratings"/)
  })

  it.each([
    ['INSERT INTO ratings VALUES (1)', /^INSERT does not run here/],
    ['/* x */ update ratings SET id = 1', /^UPDATE does not run here/],
    ["ATTACH 'http://127.0.0.1/x.duckdb'", /^ATTACH does not run here/],
    ["COPY ratings TO 'x.csv'", /^COPY does not run here/],
    ['INSTALL json', /^INSTALL does not run here/],
    ["SET memory_limit = '4GB'", /^SET does not run here/],
    ["SELECT * FROM 'http://127.0.0.1/x.csv'", /no network, no files and no extensions/],
    ["SELECT * FROM read_text('/etc/passwd')", /no network, no files and no extensions/],
    ["SELECT current_setting('TimeZone')", /no network, no files and no extensions/],
    ['SELECT 1; SELECT 2', /^Run one query at a time/],
    ['PIVOT ratings ON symbol; DROP TABLE ratings', /^Run one query at a time/],
    ['WITH a AS (FROM ratings) INSERT INTO ratings FROM a', /^INSERT does not run here/],
    ['WITH a AS (SELECT 1) UPDATE ratings SET id = 1', /^UPDATE does not run here/],
    ['WITH a AS (SELECT 1) DELETE FROM ratings', /^DELETE does not run here/],
    [
      'with a as (select 1 as i) merge into ratings using a on a.i = id when matched then delete',
      /^MERGE does not run here/,
    ],
    ['', /^Write a query first/],
    [' ; -- nothing', /^Write a query first/],
  ])('says plainly that the page only reads: %s', async (query, said) => {
    expect((await failure(query)).message).toMatch(said)
  })

  it('of a query that needs too much memory says so, and the next one runs', async () => {
    const query = 'SELECT list(i) FROM (SELECT i, i % 3 AS g FROM range(400000000) t(i)) GROUP BY g'
    expect((await failure(query)).message).toMatch(/needs more memory/)
    expect((await run('SELECT 1')).rows).toEqual([['1']])
  })

  it('shows invisible characters as escapes', async () => {
    expect((await failure('SELECT "\u202ex" FROM ratings')).message).not.toContain('\u202e')
  })
})

describe('a pivot whose columns are the values of the data', () => {
  const PIVOT = 'PIVOT ratings ON id % 3 USING count(*) GROUP BY symbol'

  it.each([
    PIVOT,
    `${PIVOT};`,
    `FROM (${PIVOT})`,
    `WITH p AS (${PIVOT}) SELECT * FROM p`,
    `-- a comment\n${PIVOT.replace('PIVOT', 'PIVOT_WIDER')}`,
  ])('runs, is counted and read as any query: %s', async (query) => {
    const { columns, rows } = await run(query, { column: 'symbol', direction: 'desc' })
    expect(columns.map(({ name }) => name)).toEqual(['symbol', '0', '1', '2'])
    expect(rows.map(([symbol]) => symbol)).toEqual(['S6', 'S5', 'S4', 'S3', 'S2', 'S1', 'S0'])
    const counts = rows.flatMap((row) => row.slice(1).map(Number))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5000)
    expect(await engine.count(query, forever)).toBe(7)
    const read: Cells[] = []
    const onRows = async (batch: readonly Cells[]) => void read.push(...batch)
    await engine.read(query, { sort: null, signal: forever, onRows })
    expect(new Set(read.map(String))).toEqual(new Set(rows.map(String)))
  })
})

describe('canceling', () => {
  const endless = 'SELECT count(*) FROM range(100000000000) a, range(1000) b'

  /** Aborts when the engine works on the query. `pass` false: the worker hears nothing more. */
  const abortWhenRunning = (worker: Worker, { pass = true } = {}) => {
    const abort = new AbortController()
    const post = worker.postMessage
    worker.postMessage = (...message: unknown[]) => {
      const isPoll = JSON.stringify(message[0]).includes('POLL_PENDING_QUERY')
      if (isPoll) abort.abort()
      if (isPoll) worker.postMessage = pass ? post : () => {}
      if (!isPoll || pass) Reflect.apply(post, worker, message)
    }
    return abort
  }

  it('a query that never ends leaves the engine usable', async () => {
    const { signal } = abortWhenRunning(worker)
    await expect(engine.run(endless, { sort: null, signal })).rejects.toThrow('aborted')
    expect(engine.isLost()).toBe(false)
    expect((await run('SELECT 1')).rows).toEqual([['1']])
  })

  it('a query that waits for its turn never begins it', async () => {
    const first = abortWhenRunning(worker)
    const second = new AbortController()
    const runs = [first, second].map(({ signal }) => engine.run(endless, { sort: null, signal }))
    second.abort()
    const results = await Promise.allSettled(runs)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(engine.isLost()).toBe(false)
  })

  it('a worker that does not stop is ended, and later calls say so', async () => {
    const own = await openTestEngine(database)
    const { signal } = abortWhenRunning(own.worker, { pass: false })
    await expect(own.engine.run(endless, { sort: null, signal })).rejects.toThrow('aborted')
    expect(own.engine.isLost()).toBe(true)
    await expect(own.engine.count('SELECT 1', forever)).rejects.toThrow(EngineLost)
  })
})

it('a worker that cannot start, and a file that is none, are reported', async () => {
  await expect(openTestEngine(new Blob(['no database']))).rejects.toThrow(EngineLost)
  await expect(
    openEngine({
      library,
      database: Promise.resolve(database),
      signal: forever,
      worker: startWorker('/no/such/worker.cjs'),
      moduleUrl: '/no/such.wasm',
      sleep: async () => {},
    }),
  ).rejects.toThrow(EngineLost)
})
