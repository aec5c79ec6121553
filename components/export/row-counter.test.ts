import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, it } from 'vitest'
import type { ExportFormat } from '#lib/contract/export-choice.ts'
import { createRowCounter, type Declared } from './row-counter.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** Counts a file that comes in pieces cut at `cuts`. */
function count(format: ExportFormat, bytes: Uint8Array, cuts: readonly number[] = []) {
  const counter = createRowCounter(format)
  let from = 0
  for (const to of [...cuts, bytes.length].sort((a, b) => a - b)) {
    counter.add(bytes.subarray(from, Math.min(to, bytes.length)))
    from = Math.min(to, bytes.length)
  }
  return counter
}

const cells = fc.array(
  fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { minLength: 2, maxLength: 2 }),
)
const cuts = fc.array(fc.nat(400), { maxLength: 8 })

const toCsv = (rows: string[][]) =>
  encode(`${Papa.unparse([['a', 'b'], ...rows], { newline: '\r\n' })}\r\n`)
const toNdjson = (rows: string[][]) =>
  encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
const toJson = (rows: string[][]) =>
  encode(
    `{"meta":{"rows":${rows.length}},"data":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}${rows.length > 0 ? '\n' : ''}],"rows":${rows.length}}\n`,
  )
const toParquet = (rows: string[][]) => encode(`PAR1${JSON.stringify(rows)}PAR1`)

const FILES = { csv: toCsv, json: toJson, ndjson: toNdjson, parquet: toParquet } as const

it.each(Object.entries(FILES))(
  'a whole file in %s is known to be whole, however it is cut',
  (f, toFile) => {
    const format = f as ExportFormat
    fc.assert(
      fc.property(cells, cuts, (rows, at) => {
        const bytes = toFile(rows)
        const declared: Declared = { rows: rows.length, bytes: bytes.length }
        const counter = count(format, bytes, at)
        expect(counter.isWhole(declared)).toBe(true)
        expect(counter.rows()).toBe(format === 'parquet' ? null : rows.length)
      }),
    )
  },
)

it.each(Object.entries(FILES))(
  'a part of a file in %s is never taken for the whole',
  (f, toFile) => {
    const format = f as ExportFormat
    fc.assert(
      fc.property(cells, fc.nat(), (rows, at) => {
        const bytes = toFile(rows)
        const declared: Declared = { rows: rows.length, bytes: bytes.length }
        const shown = at % Math.max(1, bytes.length)
        if (shown === bytes.length) return
        expect(count(format, bytes.subarray(0, shown)).isWhole(declared)).toBe(false)
      }),
    )
  },
)

it.each(Object.entries(FILES))(
  'a file in %s of another number of rows than declared is refused',
  (f, toFile) => {
    const bytes = toFile([
      ['1', '2'],
      ['3', '4'],
    ])
    const counter = count(f as ExportFormat, bytes)
    expect(counter.isWhole({ rows: 3, bytes: bytes.length + 1 })).toBe(false)
    expect(counter.isWhole({ rows: 1, bytes: bytes.length - 1 })).toBe(false)
  },
)
