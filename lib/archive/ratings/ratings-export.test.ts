import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import Papa from 'papaparse'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { toWriteProblem } from '#lib/archive/export-file.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import type { LineForm } from '#lib/archive/query/export-rows.ts'
import { EXPORT_COLUMNS, type ExportColumn, ROW_COLUMNS } from '#lib/contract/export-choice.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { importRows, makeRating, openMemory, START } from '#testing/archive/arbitrary.ts'
import { draws } from '#testing/draws.ts'
import { selectRatings } from './ratings.ts'
import { openRatingsExport } from './ratings-export.ts'

const AT = { at: START + 1000 }
const IN_ORDER = { ...EVERY_RATING, sort: { column: 'id', direction: 'asc' } as const }

const aPiece = fc.constantFrom(
  '"',
  '""',
  ',',
  '\r\n',
  '\n',
  '\r',
  '\t',
  ' ',
  "'",
  '=',
  '+',
  '-',
  '@',
)
const aText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.array(fc.oneof(aPiece, fc.constantFrom(';', '＝1', '日経', '\u0000', '\\', 'x', '😀')), {
    maxLength: 6,
  }),
)
const texts = aText.map((text) => (typeof text === 'string' ? text : text.join('')))

const aRow = fc.record({
  symbol: texts.filter((text) => text !== ''),
  label: texts,
  date: texts,
  expiry: fc.option(texts),
  prediction: fc.constantFrom('-3.50', '+0.10', '0', '12.500000'),
  extra: fc.option(fc.dictionary(texts, fc.jsonValue(), { noNullPrototype: true })),
})

type Row = typeof aRow extends fc.Arbitrary<infer R> ? R : never

function toIncoming({ symbol, label, date, expiry, prediction, extra }: Row, id: number) {
  const made = makeRating({ id, user_id: id, symbol, prediction })
  const rating = {
    ...made.rating,
    rating_label: label,
    action_label: label,
    created_at_date: date,
    expired_at: expiry === null ? null : START,
    expired_at_date: expiry,
  }
  return { rating, extra } satisfies IncomingRating
}

async function loadLines(
  archive: Archive,
  form: LineForm,
  columns: readonly ExportColumn[] = ROW_COLUMNS,
) {
  const rows = await openRatingsExport(archive.reader, IN_ORDER, AT)
  const lines: string[] = []
  for await (const batch of rows.lines(form, columns)) lines.push(...batch)
  await rows.close()
  expect(lines).toHaveLength(rows.rows)
  return lines
}

const rows = fc
  .sample(aRow, { numRuns: draws(300) })
  .map((row, index) => toIncoming(row, index + 1))
let archive: Archive
beforeAll(async () => {
  archive = await openMemory()
  await importRows(archive, rows)
})
afterAll(async () => await archive.close())

const parseCsv = (lines: readonly string[]) =>
  Papa.parse<string[]>(lines.join('\r\n'), { delimiter: ',', newline: '\r\n' }).data

const TEXTS = ['symbol', 'rating_label', 'action_label', 'created_at_date', 'expired_at_date']
const guard = (text: string) => text.replace(/(^|[;\t\r\n]+)([=+\-@＋－＝＠])/g, "$1'$2")

const toCells = ({ rating }: IncomingRating, toText: (text: string) => string) =>
  RATING_FIELDS.map((name) => {
    const value = rating[name]
    return typeof value === 'string' && TEXTS.includes(name) ? toText(value) : String(value ?? '')
  })

describe('CSV', () => {
  test('is read back by another program as exactly what is archived, whatever the texts hold', async () => {
    const read = parseCsv(await loadLines(archive, 'csv'))
    expect(read.map((cells) => cells.slice(0, 15))).toEqual(
      rows.map((row) => toCells(row, (text) => text)),
    )
  })

  test('guards every text that a spreadsheet would take for a formula, and no number', async () => {
    const read = parseCsv(await loadLines(archive, 'excel'))
    expect(read.map((cells) => cells.slice(0, 15))).toEqual(rows.map((row) => toCells(row, guard)))
  })

  test('a text that is empty and one that is missing can be told apart, also where nothing else stands in a line', async () => {
    const archive = await openMemory()
    const empty = toIncoming(
      { symbol: 'A', label: '', date: '', expiry: '', prediction: '0', extra: null },
      1,
    )
    await importRows(archive, [empty, makeRating({ id: 2, user_id: 2 })])
    expect(await loadLines(archive, 'csv', ['id', 'expired_at_date'])).toEqual(['1,""', '2,'])
    expect(await loadLines(archive, 'csv', ['expired_at_date'])).toEqual(['""', '""'])
    await archive.close()
  })
})

test('more rows than are put together at a time come in one order, each once, to several readers at once', async () => {
  const archive = await openMemory()
  const count = 21_000
  const prediction = (id: number) => String((id * 7919) % 1009)
  await importRows(
    archive,
    Array.from({ length: count }, (_, id) =>
      makeRating({ id, user_id: id, prediction: prediction(id) }),
    ),
  )
  const query = { ...EVERY_RATING, sort: { column: 'prediction', direction: 'desc' } as const }
  const expected = Array.from({ length: count }, (_, id) => id).sort(
    (a, b) => Number(prediction(b)) - Number(prediction(a)) || b - a,
  )
  const load = async () => {
    const rows = await openRatingsExport(archive.reader, query, AT)
    const ids: number[] = []
    for await (const lines of rows.lines('csv', ['id'])) {
      expect(lines.length).toBeLessThanOrEqual(2048)
      ids.push(...lines.map(Number))
    }
    await rows.close()
    return ids
  }
  for (const ids of await Promise.all([load(), load()])) expect(ids).toEqual(expected)
  await archive.close()
})

describe('JSON', () => {
  test('is every row as the API answers it, whatever its texts hold', async () => {
    const answer = await selectRatings(archive.reader, { ...IN_ORDER, per_page: 500 }, AT)
    const lines = await loadLines(archive, 'json')
    expect(lines.map((line) => JSON.parse(line))).toEqual(answer.rows)
    expect(lines.join('')).not.toMatch(/[\r\n]/)
  })

  test('holds the fields that the specification does not know where they are asked for, and the columns in their order', async () => {
    const lines = await loadLines(archive, 'json', ['extra', 'id'])
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      rows.map(({ rating, extra }) => ({
        extra: JSON.parse(JSON.stringify(extra)),
        id: rating.id,
      })),
    )
    expect(lines[0]).toMatch(/^\{"extra":.*,"id":1\}$/)
  })
})

describe('Parquet', () => {
  let dir = ''
  let archive: Archive
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'bellwether-exports-test-'))
    archive = await openArchive({ path: join(dir, 'archive.duckdb'), now: () => START })
  })
  afterEach(async () => {
    await archive.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const listLeft = () => {
    const folder = join(dir, 'archive.duckdb.exports')
    return existsSync(folder) ? readdirSync(folder) : []
  }

  const FACTS = { query: "symbol=O'Neil,%22日経", rows: '3' }

  async function loadParquet(columns: readonly ExportColumn[]) {
    const rows = await openRatingsExport(archive.reader, IN_ORDER, AT)
    const file = await rows.writeParquet(columns, FACTS)
    expect(listLeft()).toEqual([])
    const chunks: Uint8Array[] = []
    for await (const chunk of file.chunks()) chunks.push(chunk)
    await file.close()
    await rows.close()
    const bytes = Buffer.concat(chunks)
    expect(bytes.byteLength).toBe(file.bytes)
    const path = join(dir, 'read.parquet')
    writeFileSync(path, bytes)
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const read = await connection.runAndReadAll(`from '${path}'`)
    const kept = await connection.runAndReadAll(
      `select decode(key) as name, decode(value) as fact from parquet_kv_metadata('${path}')`,
    )
    const result = {
      rows: read.getRowObjectsJson(),
      facts: Object.fromEntries(kept.getRowObjectsJson().map(({ name, fact }) => [name, fact])),
      types: Object.fromEntries(
        read.columnNames().map((name, index) => [name, String(read.columnType(index))]),
      ),
    }
    connection.closeSync()
    instance.closeSync()
    return result
  }

  test('holds every row with its exact types: decimals, 64-bit instants, the texts as they came', async () => {
    const given = ['-3.5', '+12.50', '999999999999.999999'].map((prediction, index) => ({
      ...makeRating({ id: index + 1, prediction, created_at: START + index, expired_at: null }),
      extra: index === 1 ? { note: '日経' } : null,
    }))
    await importRows(archive, given)
    const { rows, types, facts } = await loadParquet(EXPORT_COLUMNS)
    expect(facts).toMatchObject(FACTS)
    expect(rows.map((row) => [row.id, row.prediction, row.previous_prediction, row.extra])).toEqual(
      [
        ['1', '-3.500000', null, null],
        ['2', '12.500000', '-3.500000', '{"note":"日経"}'],
        ['3', '999999999999.999999', '12.500000', null],
      ],
    )
    expect(rows.map((row) => row.state)).toEqual(['expired', 'expired', 'active'])
    expect(Object.keys(types)).toEqual([...EXPORT_COLUMNS])
    expect(types).toMatchObject({
      id: 'BIGINT',
      prediction: 'DECIMAL(18,6)',
      previous_prediction: 'DECIMAL(18,6)',
      created_at: 'BIGINT',
      created_at_date: 'VARCHAR',
      expired_at: 'BIGINT',
      symbol: 'VARCHAR',
      state: 'VARCHAR',
      vanished_at: 'BIGINT',
    })
  })

  test('of no rows is a file that says so', async () => {
    const { rows, types } = await loadParquet(['symbol', 'id'])
    expect([rows, Object.keys(types)]).toEqual([[], ['symbol', 'id']])
  })

  test('leaves nothing on the disk, neither interrupted nor failed nor killed', async () => {
    await importRows(
      archive,
      Array.from({ length: 5000 }, (_, id) => makeRating({ id, user_id: id })),
    )
    const broken = await openRatingsExport(archive.reader, IN_ORDER, AT)
    const writing = broken.writeParquet(ROW_COLUMNS, FACTS)
    await broken.close()
    await expect(writing).rejects.toMatchObject({ fault: 'busy' })
    expect(listLeft()).toEqual([])
    writeFileSync(join(dir, 'archive.duckdb.exports', '7.part'), 'left by a killed process')
    await archive.close()
    archive = await openArchive({ path: join(dir, 'archive.duckdb'), now: () => START })
    expect(listLeft()).toEqual([])
  })

  test('a disk without room is said to be one', () => {
    const full = new Error('IO Error: Could not write file "x": No space left on device')
    expect(toWriteProblem(full)).toMatchObject({ fault: 'busy' })
    expect(toWriteProblem(new Error('other'))).not.toHaveProperty('fault')
  })
})
