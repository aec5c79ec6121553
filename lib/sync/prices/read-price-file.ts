import { basename, extname } from 'node:path'
import type { PriceRow } from '#lib/archive/prices/prices.ts'
import { SYMBOL_MAX_LENGTH, SYMBOL_PATTERN, SYMBOL_PROBLEM } from '#lib/contract/rating-fields.ts'
import { findColumn } from '#lib/csv/columns.ts'
import { CsvError, type Reject, shortenValue } from '#lib/csv/csv-error.ts'
import type { CsvRecord } from '#lib/csv/csv-reader.ts'
import {
  createNumberEvidence,
  type DecimalResult,
  type NumberFormat,
  readDecimal,
} from '#lib/csv/numbers.ts'
import { readCsvFile } from '#lib/csv/read-csv-file.ts'
import { unreadable } from '#lib/sync/file-problems.ts'

type PriceBatch = { rows: PriceRow[]; rejected: Reject[] }

/**
 * Reads the file twice: its whole columns decide how numbers and dates are read. Throws AppError
 * `bad_request`, CsvError, or file system errors.
 */
export async function* readPriceFile(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<PriceBatch, void, undefined> {
  const formats = await selectFormats(path, signal)
  for await (const { layout, records } of readTable(path, signal)) {
    yield readRecords(records, layout, formats)
  }
}

type Table = { layout: Layout; delimiter: string; records: readonly CsvRecord[] }

async function* readTable(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Table, void, undefined> {
  let layout: Layout | null = null
  let held: CsvRecord[] = []
  let isBelowHeader = false
  for await (const { header, delimiter, records } of readCsvFile(path, signal)) {
    held = held.length === 0 ? records : [...held, ...records]
    layout ??= selectLayout(header, held, path)
    if (!isBelowHeader && held.length < layout.headerRows) continue
    yield { layout, delimiter, records: isBelowHeader ? held : held.slice(layout.headerRows) }
    isBelowHeader = true
    held = []
  }
}

type Close = { symbol: { at: number } | { name: string }; closeAt: number }

type Layout = { dateAt: number; closes: Close[]; header: readonly string[]; headerRows: number }

const NAMES = {
  symbol: ['symbol', 'ticker'],
  date: ['date', 'datetime', 'timestamp'],
  close: [
    ...['adjclose', 'adjustedclose', 'closeadj', 'closeadjusted', 'adjustedcloseprice'],
    ...['close', 'closeprice', 'closingprice', 'close/last', 'price', 'last'],
  ],
}

function selectLayout(
  header: readonly string[],
  records: readonly CsvRecord[],
  path: string,
): Layout {
  const wide = selectWideLayout(header, records)
  if (wide) return wide
  const find = (name: keyof typeof NAMES) => {
    const { at, double } = findColumn(header, NAMES[name])
    if (double !== null) throw unreadable(`has two columns “${double}”`)
    return at
  }
  const [symbolAt, dateAt, closeAt] = [find('symbol'), find('date'), find('close')]
  if (dateAt === undefined) throw unreadable('has no column “date”')
  if (closeAt === undefined) throw unreadable('has no column “close”')
  const symbol = symbolAt === undefined ? { name: toSymbol(path) } : { at: symbolAt }
  return { dateAt, closes: [{ symbol, closeAt }], header, headerRows: 0 }
}

/** yfinance format: header rows start with `Price`, `Ticker` and `Date`. */
function selectWideLayout(
  header: readonly string[],
  [second, third]: readonly CsvRecord[],
): Layout | null {
  const lines = [header, second?.cells ?? []]
  const figures = lines.find((line) => ['price', 'attributes'].includes(toKey(line[0])))
  const tickers = lines.find((line) => ['ticker', 'symbols'].includes(toKey(line[0])))
  if (!figures || !tickers || toKey(third?.cells[0]) !== 'date') return null
  const closes: Close[] = []
  for (const name of new Set(tickers.slice(1))) {
    const own = figures.map((figure, at) => (at > 0 && tickers[at] === name ? figure : ''))
    const { at } = findColumn(own, NAMES.close)
    if (at !== undefined) closes.push({ symbol: { name }, closeAt: at })
  }
  if (closes.length === 0) throw unreadable('has no column “close”')
  return { dateAt: 0, closes, header: figures, headerRows: 2 }
}

const toKey = (cell: string | undefined) => (cell ?? '').trim().toLowerCase()

const COPY = /(?:\s*\(\d+\)|\s+-\s+copy|\s+copy(?:\s+\d+)?)$/i

function toSymbol(path: string): string {
  let name = basename(path, extname(path)).trim()
  while (COPY.test(name)) name = name.replace(COPY, '')
  return name
}

type Formats = { number: NumberFormat; dateOrder: DateOrder; days: Map<string, DayResult> }

const DAYS_KEPT = 20_000

async function selectFormats(path: string, signal: AbortSignal): Promise<Formats> {
  const [numbers, order] = [createNumberEvidence(), createOrderEvidence()]
  let delimiter = ','
  try {
    for await (const table of readTable(path, signal)) {
      delimiter = table.delimiter
      for (const { cells, problem } of table.records) {
        order.see(cells[table.layout.dateAt] ?? '')
        if (problem !== null) continue
        for (const { closeAt } of table.layout.closes) numbers.see(cells[closeAt] ?? '')
      }
    }
  } catch (error) {
    // Thrown again after the readable rows.
    if (!(error instanceof CsvError)) throw error
  }
  return { number: numbers.format(delimiter), dateOrder: order.order(), days: new Map() }
}

function readRecords(records: readonly CsvRecord[], layout: Layout, formats: Formats): PriceBatch {
  const batch: PriceBatch = { rows: [], rejected: [] }
  const { days } = formats
  if (days.size > DAYS_KEPT) days.clear()
  for (const record of records) {
    const { line, cells, problem } = record
    if (problem !== null) {
      const value = shortenValue(cells.join(','))
      batch.rejected.push({ line, column: null, value, reason: problem })
      continue
    }
    const date = (cells[layout.dateAt] ?? '').trim()
    const day = days.get(date) ?? readDay(date, formats.dateOrder)
    days.set(date, day)
    if ('reason' in day) {
      batch.rejected.push(toReject(record, layout, layout.dateAt, day.reason))
      continue
    }
    for (const { symbol, closeAt } of layout.closes) {
      const text = (cells[closeAt] ?? '').trim()
      // In a wide file, an empty cell means no trading that day.
      if (text === '' && layout.closes.length > 1) continue
      const name = 'name' in symbol ? symbol.name : (cells[symbol.at] ?? '').trim()
      const symbolProblem = findSymbolProblem(name)
      const close = readClose(text, formats.number)
      if (symbolProblem !== null) {
        const at = 'at' in symbol ? symbol.at : closeAt
        batch.rejected.push(toReject(record, layout, at, symbolProblem))
      } else if ('reason' in close) {
        batch.rejected.push(toReject(record, layout, closeAt, close.reason))
      } else batch.rows.push({ symbol: name, day: day.day, close: close.value })
    }
  }
  return batch
}

function toReject(
  { line, cells }: CsvRecord,
  { header }: Layout,
  at: number,
  reason: string,
): Reject {
  return { line, column: header[at] ?? null, value: shortenValue((cells[at] ?? '').trim()), reason }
}

function findSymbolProblem(symbol: string): string | null {
  if (symbol === '') return 'has no symbol'
  if (symbol.length > SYMBOL_MAX_LENGTH) {
    return `has a symbol of more than ${SYMBOL_MAX_LENGTH} characters`
  }
  return SYMBOL_PATTERN.test(symbol) ? null : `has a symbol that ${SYMBOL_PROBLEM}`
}

const USUAL = /^[1-9]\d{0,9}\.\d{1,8}$/
const CLOSE = /^\d{1,10}(?:\.\d+)?$/
const PLACES = 8

function readClose(text: string, format: NumberFormat): DecimalResult {
  if (format.decimal === '.' && USUAL.test(text)) return { value: text }
  if (text === '') return { reason: 'has no close' }
  const read = readDecimal(text, format)
  if ('reason' in read) return { reason: `has a close that ${read.reason}` }
  const { value } = read
  if (value.startsWith('-') || !/[1-9]/.test(value))
    return { reason: 'has a close that is not above 0' }
  if (!CLOSE.test(value)) return { reason: 'has a close of more than 10 digits' }
  const [whole = '', fraction = ''] = value.split('.')
  const close = fraction === '' ? whole : `${whole}.${fraction.slice(0, PLACES)}`
  if (!/[1-9]/.test(close)) return { reason: 'has a close below 0.00000001' }
  return { value: close }
}

/** Days since 1970, or the end of a sentence. */
type DayResult = { day: number } | { reason: string }

/** Null if the file does not show the order. */
type DateOrder = 'month first' | 'day first' | null

const YEAR_FIRST = /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:[T ].*)?$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ].*)?$/
const MONTH_NAME =
  /^(?:(?<month>\p{L}{3,9})\.? (?<day>\d{1,2}),?|(?<day2>\d{1,2})[- ](?<month2>\p{L}{3,9})\.?)[- ,]+(?<year>\d{4})$/u
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY_MS = 86_400_000

function createOrderEvidence() {
  let [hasMonthFirst, hasDayFirst] = [false, false]
  return {
    see(text: string): void {
      const match = YEAR_LAST.exec(text.trim())
      if (!match) return
      if (Number(match[3]) > 12) hasMonthFirst = true
      else if (Number(match[1]) > 12) hasDayFirst = true
    },
    order(): DateOrder {
      if (hasMonthFirst === hasDayFirst) return null
      return hasMonthFirst ? 'month first' : 'day first'
    },
  }
}

/**
 * Formats: `2026-01-02`, `20260102`, `Jan 2, 2026`, `2-Jan-2026`, and `01/02/2026` if the order is
 * known.
 */
function readDay(text: string, order: DateOrder): DayResult {
  if (text === '') return { reason: 'has no date' }
  const yearFirst = YEAR_FIRST.exec(text)
  if (yearFirst) return toDay(yearFirst[1], yearFirst[3], yearFirst[4])
  const yearLast = YEAR_LAST.exec(text)
  if (yearLast) {
    const [, first, , second, year] = yearLast
    const own = Number(second) > 12 ? 'month first' : Number(first) > 12 ? 'day first' : order
    if (own === null) {
      return { reason: `has a date that could be month/day or day/month: use YYYY-MM-DD` }
    }
    return own === 'month first' ? toDay(year, first, second) : toDay(year, second, first)
  }
  const groups = MONTH_NAME.exec(text)?.groups
  const name = (groups?.month ?? groups?.month2 ?? '').toLowerCase()
  const month = MONTHS.findIndex((one) => name.startsWith(one)) + 1
  if (month > 0) return toDay(groups?.year, String(month), groups?.day ?? groups?.day2)
  return { reason: 'has a date that is not in the form YYYY-MM-DD' }
}

function toDay(year = '', month = '', day = ''): DayResult {
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const date = new Date(at)
  const isReal = date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
  if (!isReal) return { reason: 'has a date that does not exist' }
  return at < 0 ? { reason: 'has a date before 1970' } : { day: at / DAY_MS }
}
