import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXPORT_FORMATS } from '#lib/contract/export-formats.ts'
import { LISTS } from '#lib/contract/lists/lists.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { serveApi } from '#testing/api/serve-api.ts'
import { hasProgram, hasPython, runProgram } from '#testing/programs.ts'
import { TOKEN_PLACEHOLDER, type Tool, toExportSource, toLines, typedColumns } from './open-in.tsx'

const CSV = { format: 'csv', columns: [], isForExcel: false } as const

const TOKEN = 'bw_test'
const SUBJECTS = ['ratings', 'symbols', 'users', 'lookups', 'calls', 'quarantine', 'audit'] as const
type Subject = (typeof SUBJECTS)[number]

let api: TestApi
let signedIn: Awaited<ReturnType<typeof serveApi>>
let open: typeof signedIn
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bellwether-lines-'))
  api = await openTestApi({ ratings: 3000, onDisk: true })
  await api.fill()
  const { invented } = api.service
  await api.archive.prices.replace(async (append) => {
    for await (const closes of invented?.closes(api.clock.now) ?? []) await append(closes)
  })
  await api.archive.import({ kind: 'dump', name: '2026-11-15' }, async (run) => {
    await run.append([], [{ reason: 'row: cells', raw: '=cmd|"x"\nNA, é' }])
    return { completeTo: null }
  })
  const entry = { at: 1, kind: 'sync', who: 'NA', what: '', outcome: 'done', from: '192.0.2.1' }
  writeFileSync(api.auditFile, `${JSON.stringify(entry)}\n`)
  signedIn = await serveApi({ token: TOKEN })
  open = await serveApi()
})
afterAll(async () => {
  await signedIn.close()
  await open.close()
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

/** No query, and one that finds nothing, where every column is empty. */
const QUERIES: Readonly<Record<Subject, readonly string[]>> = {
  ratings: ['', 'symbol=NOBODY'],
  symbols: ['', 'q=nobody'],
  users: ['', 'q=999999'],
  lookups: ['per_page=5', 'symbol=NOBODY'],
  calls: ['', 'symbol=NOBODY'],
  quarantine: ['', 'reason=none'],
  audit: ['', 'who=nobody'],
}

const CASES = SUBJECTS.flatMap((of) => QUERIES[of].map((query) => [of, query] as const))

function linesOf(of: Subject, query: string, needsToken: boolean) {
  const formats = LISTS.find(({ path }) => path === of)?.formats ?? EXPORT_FORMATS
  const { origin } = needsToken ? signedIn : open
  const asked = { of, query: new URLSearchParams(query), choice: CSV, formats }
  const lines = toLines(toExportSource(asked, { origin, needsToken }))
  return (tool: Tool) => lines[tool].replaceAll(TOKEN_PLACEHOLDER, TOKEN)
}

type Cell = string | number | null

/** Decimals without trailing zeros; an empty text equals null, as CSV readers have it. */
const toPlain = (value: unknown): Cell => {
  if (value === null || value === undefined || value === '') return null
  const text = String(value)
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text
}

type Table = Record<string, Cell[]>

/** Decimals, texts and instants: what a reader may spoil. */
const COMPARED = ['decimal', 'text', 'instant']

const comparedNames = (of: Subject) =>
  typedColumns(of)
    .filter(({ name, kind }) => COMPARED.includes(kind) && name !== 'extra')
    .map(({ name }) => name)

async function expectedTable(of: Subject, query: string): Promise<Table> {
  const text = await (await api.ask(`/api/${of}.ndjson?${query}`)).text()
  const rows = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  return Object.fromEntries(
    comparedNames(of).map((name) => [name, rows.map((row) => toPlain(row[name]))]),
  )
}

const toTable = (of: Subject, table: Record<string, unknown[]>): Table =>
  Object.fromEntries(comparedNames(of).map((name) => [name, (table[name] ?? []).map(toPlain)]))

it('every list has rows to read', async () => {
  for (const of of SUBJECTS) {
    const { symbol, user_id, at } = await expectedTable(of, '')
    expect((symbol ?? user_id ?? at ?? []).length + (of === 'users' ? 1 : 0), of).toBeGreaterThan(0)
  }
})

it('every column of a file is typed, in its order', async () => {
  for (const of of SUBJECTS) {
    const { columns } = toExportSource(
      { of, query: new URLSearchParams(), choice: CSV, formats: EXPORT_FORMATS },
      { origin: open.origin, needsToken: false },
    )
    const [header] = (await (await api.ask(`/api/${of}.csv`)).text()).split('\r\n')
    expect(columns.map(({ name }) => name).join(','), of).toBe(header)
    const { data } = await (await api.ask(`/api/${of}.json`)).json()
    for (const { name, kind } of columns) {
      const type = ['whole', 'instant', 'number'].includes(kind) ? 'number' : 'string'
      const cells = data.map((row: Record<string, unknown>) => row[name] ?? null)
      expect(
        cells.every((cell: unknown) => cell === null || typeof cell === type),
        `${of} ${name}`,
      ).toBe(true)
    }
  }
})

describe('DuckDB', () => {
  it.each(CASES)('reads %s with "%s" from the file, every type exact', async (of, query) => {
    const [secret = '', ...select] = linesOf(of, query, true)('duckdb').split('\n')
    const statement = select.join('\n')
    const [address = ''] = /http[^']*/.exec(statement) ?? []
    const answer = await fetch(address, { headers: { authorization: `Bearer ${TOKEN}` } })
    const file = join(folder, `duckdb.${statement.includes('read_csv') ? 'csv' : 'parquet'}`)
    writeFileSync(file, new Uint8Array(await answer.arrayBuffer()))

    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run(secret)
    const read = await connection.runAndReadAll(statement.replace(address, file))
    const types = read.columnTypes().map(String)
    const kinds = new Map(typedColumns(of).map(({ name, kind }) => [name, kind]))
    for (const [index, name] of read.columnNames().entries()) {
      if (kinds.get(name) === 'instant') expect(types[index], name).toBe('TIMESTAMP')
      if (kinds.get(name) === 'decimal') expect(types[index], name).toMatch(/^(DECIMAL|VARCHAR)/)
    }
    const columns = read.getColumnsObjectJson() as Record<string, unknown[]>
    const table = Object.entries(columns).map(([name, cells]) => [
      name,
      kinds.get(name) === 'instant' ? cells.map(toSeconds) : cells,
    ])
    expect(toTable(of, Object.fromEntries(table))).toEqual(await expectedTable(of, query))
    connection.closeSync()
  })
})

const toSeconds = (text: unknown) =>
  text === null ? null : Date.parse(`${String(text).replace(' ', 'T')}Z`) / 1000

/** Runs each program of a file and prints its rows by column and their types, a line each. */
const RUN_ALL = `
import json, sys
def show(cell):
    if cell is None or cell != cell: return None
    return int(cell.timestamp()) if hasattr(cell, "timestamp") else str(cell)
for program in json.load(open(sys.argv[1])):
    scope = {}
    exec(program, scope)
    rows = scope["rows"]
    table = {name: [show(cell) for cell in rows[name]] for name in rows.columns}
    print(json.dumps([table, {name: str(rows[name].dtype) for name in rows.columns}]))
`

const SIGNED_CASES = CASES.flatMap(([of, query]) =>
  [true, false].map((needsToken) => ({ of, query, needsToken })),
)

describe('pandas', () => {
  const writePrograms = () =>
    SIGNED_CASES.map(({ of, query, needsToken }) => linesOf(of, query, needsToken)('pandas'))

  it.skipIf(!hasPython())('has lines that compile', async () => {
    const files = writePrograms().map((program, index) => {
      const file = join(folder, `pandas-${index}.py`)
      writeFileSync(file, program)
      return file
    })
    await runProgram('python3', ['-m', 'py_compile', ...files], folder)
  })

  it.skipIf(!hasPython('pandas', 'pyarrow'))(
    'reads every list with and without a token, every type exact',
    async () => {
      writeFileSync(join(folder, 'programs.json'), JSON.stringify(writePrograms()))
      const shown = await runProgram('python3', ['-c', RUN_ALL, 'programs.json'], folder)
      const results = shown.trimEnd().split('\n')
      expect(results).toHaveLength(SIGNED_CASES.length)
      for (const [index, { of, query }] of SIGNED_CASES.entries()) {
        const [table, types] = JSON.parse(results[index] ?? '')
        expect(toTable(of, table), `${of} ${query}`).toEqual(await expectedTable(of, query))
        for (const { name, kind } of typedColumns(of)) {
          if (kind === 'instant') expect(types[name], `${of} ${name}`).toMatch(/datetime.*UTC/i)
        }
      }
    },
  )
})

describe('curl', () => {
  it.skipIf(!hasProgram('curl')).each(SUBJECTS)('saves %s by sh', async (of) => {
    for (const needsToken of [true, false]) {
      const target = mkdtempSync(join(folder, 'curl-'))
      await runProgram('sh', ['-c', `${linesOf(of, '', needsToken)('curl')} -s`], target)
      const [name = ''] = readdirSync(target)
      expect(name).toMatch(/\.csv$/)
      const saved = readFileSync(join(target, name), 'utf8')
      expect(saved).toBe(await (await api.ask(`/api/${of}.csv`)).text())
    }
  })

  it.skipIf(!hasProgram('curl'))('fails without a valid token', async () => {
    const line = linesOf('ratings', '', true)('curl').replace(TOKEN, 'bw_wrong')
    await expect(runProgram('sh', ['-c', line], folder)).rejects.toThrow(/403|401/)
  })
})

it('an export has no ranges: a part of it could be of a later state', async () => {
  for (const format of ['csv', 'parquet']) {
    const address = `${open.origin}/api/ratings.${format}`
    const part = await fetch(address, { headers: { range: 'bytes=0-99' } })
    expect(part.status).toBe(200)
    expect((await part.arrayBuffer()).byteLength).toBeGreaterThan(100)
    const head = await fetch(address, { method: 'HEAD' })
    expect(head.headers.get('accept-ranges')).toBeNull()
    expect(head.headers.get('content-length')).toBeNull()
  }
})
