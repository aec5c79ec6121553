import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, it, test } from 'vitest'
import { ApiError } from '#lib/client/api-error.ts'
import type { ExportFormat } from '#lib/contract/export-formats.ts'
import {
  CutShort,
  createHeldSink,
  createRowCounter,
  type Declared,
  type ReceiveOptions,
  receiveExport,
  type Sink,
} from './receive-export.ts'

const JOB = { url: '/api/ratings.csv', format: 'csv', fileName: 'fallback.csv' } as const
const CSV = 'id,symbol\r\n1,"A\r\n"\r\n2,B\r\n'
const HEADERS = {
  'bellwether-rows': '2',
  'content-disposition': `attachment; filename="u65e5.csv"; filename*=UTF-8''%E6%97%A5.csv`,
}

function toBody(text: string, breaks = false): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  const pieces = [bytes.subarray(0, 14), bytes.subarray(14)]
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else if (breaks) controller.error(new TypeError('network error'))
      else controller.close()
    },
  })
}

function createSink() {
  const saved: { name: string; file: Blob }[] = []
  let discarded = 0
  const held = createHeldSink('text/csv', (file, name) => saved.push({ name, file }))
  const sink: Sink = {
    ...held,
    discard: async () => {
      discarded += 1
      await held.discard()
    },
  }
  return { sink, saved, discarded: () => discarded }
}

function receive(
  response: () => Response | Promise<Response>,
  options: Partial<ReceiveOptions> = {},
) {
  const kept = createSink()
  const seen: (number | null)[] = []
  const result = receiveExport(JOB, kept.sink, {
    fetchFile: async () => response(),
    signal: new AbortController().signal,
    onProgress: ({ rows }) => seen.push(rows),
    ...options,
  })
  return { result, seen, ...kept }
}

test('a whole export is kept under the name that the server gave it, row by row counted', async () => {
  const { result, saved, seen, discarded } = receive(
    () => new Response(toBody(CSV), { headers: HEADERS }),
  )
  expect(await result).toMatchObject({ fileName: '日.csv', rows: 2, bytes: CSV.length })
  expect(await saved[0]?.file.text()).toBe(CSV)
  expect(seen).toEqual([0, 2])
  expect(discarded()).toBe(0)
})

test.each([
  ['ends too early', CSV.slice(0, -5), false],
  ['ends between two rows', CSV.slice(0, CSV.indexOf('2,B')), false],
  ['breaks off', CSV.slice(0, CSV.indexOf('2,B')), true],
  ['holds a row too many', `${CSV}3,C\r\n`, false],
  ['holds nothing', '', false],
])('an export that %s is never kept', async (_how, text, breaks) => {
  const { result, saved, discarded } = receive(
    () => new Response(toBody(text, breaks), { headers: HEADERS }),
  )
  await expect(result).rejects.toBeInstanceOf(CutShort)
  await expect(result).rejects.toMatchObject({ progress: { declared: { rows: 2 } } })
  expect([saved.length, discarded()]).toEqual([0, 1])
})

test('an answer that does not say how many rows it holds is not kept', async () => {
  const { result, saved } = receive(() => new Response(CSV))
  await expect(result).rejects.toBeInstanceOf(ApiError)
  expect(saved).toEqual([])
})

test('a refusal comes with the server’s own words', async () => {
  const error = { type: 'busy', message: 'Too many exports at once.' }
  const body = { success: false, code: 503, data: [], error }
  const { result } = receive(() => Response.json(body, { status: 503 }))
  await expect(result).rejects.toMatchObject({ message: 'Too many exports at once.', status: 503 })
})

test('a dashboard that cannot be reached is said to be so', async () => {
  const { result } = receive(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(result).rejects.toMatchObject({ type: 'offline' })
})

test('a canceled export is discarded, also in its last moment', async () => {
  const controller = new AbortController()
  const { result, saved, discarded } = receive(
    () => new Response(toBody(CSV), { headers: HEADERS }),
    { signal: controller.signal, onProgress: ({ rows }) => rows === 2 && controller.abort() },
  )
  await expect(result).rejects.toMatchObject({ name: 'AbortError' })
  expect([saved.length, discarded()]).toEqual([0, 1])
})

test('a device without room is not an empty file', async () => {
  const { sink, saved, discarded } = createSink()
  const full = new DOMException('full', 'QuotaExceededError')
  const result = receiveExport(
    JOB,
    { ...sink, write: () => Promise.reject(full) },
    {
      fetchFile: async () => new Response(toBody(CSV), { headers: HEADERS }),
      signal: new AbortController().signal,
      onProgress: () => {},
    },
  )
  await expect(result).rejects.toBe(full)
  expect([saved.length, discarded()]).toEqual([0, 1])
})

const encode = (text: string) => new TextEncoder().encode(text)

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
