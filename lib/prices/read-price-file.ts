import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { PriceRow } from '#lib/archive/prices/prices.ts'
import { AppError } from '#lib/contract/faults.ts'
import { createCsvReader } from '#lib/sync/editions/dump-csv.ts'

/** A record that is no price: where it stands, why, and what came, cut where it is long. The header is line 1. */
export type RejectedPrice = { line: number; reason: string; raw: string }

export type PriceBatch = { rows: PriceRow[]; rejected: RejectedPrice[] }

/**
 * The prices of a CSV file in its order, so many records at a time. Symbols stand in a column, or the file is named by the one that it is
 * of. UTF-8 or UTF-16; commas, semicolons or tabs; with semicolons and tabs also decimal commas. Throws AppError('bad_request') where
 * the file cannot be read as prices, and what the file system throws.
 */
export async function* readPriceFile(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<PriceBatch, void, undefined> {
  const reader = createCsvReader()
  const toBytes = createDecoder(await readHead(path))
  let columns: Columns | null = null
  let line = 1
  const toBatch = (records: readonly string[][]): PriceBatch => {
    columns ??= toColumns(reader.header() ?? [], path)
    const batch: PriceBatch = { rows: [], rejected: [] }
    for (const record of records) {
      line += 1
      const read = readRecord(record, columns)
      if ('reason' in read) batch.rejected.push({ line, reason: read.reason, raw: toRaw(record) })
      else batch.rows.push(read)
    }
    return batch
  }
  for await (const chunk of createReadStream(path, { signal, highWaterMark: CHUNK_BYTES })) {
    const records = asCsv(() => reader.push(toBytes(chunk as Uint8Array)))
    if (reader.header() !== null) yield toBatch(records)
  }
  const { records } = asCsv(() => reader.end())
  if (reader.header() === null) throw unreadable('is empty')
  yield toBatch(records)
}

const CHUNK_BYTES = 512 * 1024
const HEAD_BYTES = 1024
const RAW_MAX_LENGTH = 200

const unreadable = (why: string) => new AppError('bad_request', why)

function asCsv<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new AppError('bad_request', 'is no CSV text in UTF-8 or UTF-16', { cause })
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Bytes of the file as bytes of UTF-8: which encoding it has shows in its first bytes. */
function createDecoder(head: Uint8Array): (bytes: Uint8Array) => Uint8Array {
  const encoding = selectEncoding(head)
  if (encoding === null) return (bytes) => bytes
  const decoder = new TextDecoder(encoding, { fatal: true })
  const encoder = new TextEncoder()
  return (bytes) => encoder.encode(decoder.decode(bytes, { stream: true }))
}

function selectEncoding([first = 0, second = 0, third = 1]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Without a mark: every other byte of a header is nothing.
  if (first !== 0 && second === 0) return 'utf-16le'
  return first === 0 && second !== 0 && third === 0 ? 'utf-16be' : null
}

type Columns = {
  /** null: all of the file is of `symbol`. */
  symbolAt: number | null
  symbol: string
  dateAt: number
  closeAt: number
}

const NAMES = {
  symbol: ['symbol', 'ticker'],
  date: ['date'],
  /** An adjusted close wins over a close. */
  close: ['adj close', 'adjusted close', 'close', 'close price'],
}

function toColumns(header: readonly string[], path: string): Columns {
  const plain = header.map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/[\s_]+/g, ' '),
  )
  const find = (names: readonly string[]) =>
    names.map((name) => plain.indexOf(name)).find((at) => at >= 0)
  const [symbolAt, dateAt, closeAt] = [find(NAMES.symbol), find(NAMES.date), find(NAMES.close)]
  if (dateAt === undefined) throw unreadable('has no column “date”')
  if (closeAt === undefined) throw unreadable('has no column “close”')
  const symbol = basename(path, extname(path))
  return { symbolAt: symbolAt ?? null, symbol, dateAt, closeAt }
}

const SYMBOL_MAX_LENGTH = 32
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/
const DAY_MS = 86_400_000

function readRecord(record: readonly string[], columns: Columns): PriceRow | { reason: string } {
  const at = (index: number) => (record[index] ?? '').trim()
  const symbol = columns.symbolAt === null ? columns.symbol : at(columns.symbolAt)
  if (symbol === '') return { reason: 'has no symbol' }
  if (symbol.length > SYMBOL_MAX_LENGTH) return { reason: 'has a symbol that is too long' }
  const day = readDay(at(columns.dateAt))
  if (day === null) return { reason: 'has no date as YYYY-MM-DD' }
  const close = readClose(at(columns.closeAt))
  return close === null ? { reason: 'has no close above 0' } : { symbol, day, close }
}

/** Days since 1970. */
function readDay(text: string): number | null {
  const match = DATE.exec(text)
  if (!match) return null
  const [, year = '', month = '', day = ''] = match
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day))
  // The 30th of February would be a day in March.
  const isReal = new Date(at).toISOString().startsWith(`${year}-${month}-${day}`)
  return isReal && at >= 0 ? at / DAY_MS : null
}

const DECIMAL = /^\+?(\d{1,10})(?:[.,](\d+))?$/
const GROUPED = /^\+?\d{1,3}(?:\.\d{3})+,\d+$/
const PLACES = 8

/** Decimal text of at most 8 places, above 0. A comma is the decimal mark: files that separate by it never hold one in a cell. */
function readClose(text: string): string | null {
  const plain = GROUPED.test(text) ? text.replaceAll('.', '') : text
  const match = DECIMAL.exec(plain)
  if (!match) return null
  const [, whole = '', fraction = ''] = match
  const close = fraction === '' ? whole : `${whole}.${fraction.slice(0, PLACES)}`
  return /[1-9]/.test(close) ? close : null
}

const toRaw = (record: readonly string[]) => record.join(',').slice(0, RAW_MAX_LENGTH)
