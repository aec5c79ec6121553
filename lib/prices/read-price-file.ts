import { basename, extname } from 'node:path'
import type { PriceRow } from '#lib/archive/prices/prices.ts'
import { readCsvFile, toColumnFinder, toRaw, unreadable } from './csv-file.ts'

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
  let columns: Columns | null = null
  let line = 1
  for await (const { header, records } of readCsvFile(path, signal)) {
    columns ??= toColumns(header, path)
    const batch: PriceBatch = { rows: [], rejected: [] }
    for (const record of records) {
      line += 1
      const read = readRecord(record, columns)
      if ('reason' in read) batch.rejected.push({ line, reason: read.reason, raw: toRaw(record) })
      else batch.rows.push(read)
    }
    yield batch
  }
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
  const find = toColumnFinder(header)
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
