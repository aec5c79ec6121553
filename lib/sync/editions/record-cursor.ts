import { isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { type CsvForm, readCsvForm } from '#lib/archive/import/plain-csv.ts'
import { openSorter } from '#lib/archive/import/sort-records.ts'
import { createCsvReader } from '#lib/csv/csv-reader.ts'
import { nodeDisk } from '#lib/sync/disk.ts'
import { toDumpFault } from './dump-csv.ts'

/** What a record is found again by: a number where it is one that is exact, else a text. */
export type Key = number | string

const EXACT_DIGITS = 15
const DIGITS = /^(?:0|[1-9][0-9]*)$/

/** Digits that name the same number are the same id, whatever stands before them; any other text is itself. */
export function toIdKey(text: string): Key {
  const digits = text.replace(/^[+]?0*([0-9]+)$/, '$1')
  if (!DIGITS.test(digits)) return JSON.stringify(text)
  return digits.length <= EXACT_DIGITS ? Number(digits) : digits
}

/** An order of all keys: the shorter first, numbers by their size. The database orders their texts alike. */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [Buffer.from(String(a)), Buffer.from(String(b))]
  return left.length - right.length || Buffer.compare(left, right)
}

/** A line of a plain file, without its end. */
export type Line = { bytes: Buffer; start: number; end: number }

/** The records of a file, one at a time. */
export type Cursor = {
  /** Of the record at hand; null where more has to be loaded first, or none is left. */
  key: Key | null
  isOver: boolean
  /** How its lines look: records of two files with the same form are the same where their lines are. null: it has no lines. */
  form: string | null
  header(): readonly string[]
  /** Of the record at hand, one for each name of the header as a rule. */
  cells(): readonly string[]
  line(): Line
  /** Goes on to the next record, where it has been loaded. */
  next(): void
  /** Loads more. Throws what the file system throws, {@link NotPlain}, {@link Unordered}, AppError, the reason of an abort. */
  load(): Promise<void>
  close(): Promise<void>
}

/** A file has to be parsed: cells of it are not what stands between commas. */
export class NotPlain extends Error {}

/** The keys of a file do not only grow: it has to be put in order first. */
export class Unordered extends Error {}

/**
 * How a file is read: by the database's rule for plain lines or by the reader of CSV, as it lies or in order of its keys. `unique`:
 * of records with one key the last counts.
 */
export type Reading = {
  path: string
  isPlain: boolean
  isSorted: boolean
  /** What a record is found again by. */
  toKey: (cells: readonly string[], header: readonly string[]) => Key
  isUnique: boolean
  /** A folder for what is sorted. */
  spillPath: string
  signal: AbortSignal
  /** Told how many records were read of it. */
  tell: (records: number) => void
}

/** Opens a file at its first record, which has to be loaded. Throws {@link NotPlain} and what the file system throws. */
export async function openCursor(reading: Reading): Promise<Cursor> {
  if (reading.isSorted) return await openSorted(reading)
  const order = createOrder(reading.isUnique)
  const raw = await openRaw(reading)
  return inOrder(raw, order)
}

/** Holds a key against the one before. Throws {@link Unordered}. */
function createOrder(isUnique: boolean): (key: Key) => void {
  let last: Key | null = null
  return (key) => {
    if (last !== null) {
      const step =
        typeof key === 'number' && typeof last === 'number' ? key - last : compareKeys(key, last)
      if (step < 0 || (step === 0 && isUnique)) throw new Unordered()
    }
    last = key
  }
}

function inOrder(cursor: Cursor, see: (key: Key) => void): Cursor {
  const { next, load } = cursor
  cursor.next = () => {
    next()
    if (cursor.key !== null) see(cursor.key)
  }
  cursor.load = async () => {
    await load()
    if (cursor.key !== null) see(cursor.key)
  }
  return cursor
}

async function openRaw(reading: Reading): Promise<Cursor> {
  if (!reading.isPlain) return openParsed(reading)
  const form = await readCsvForm(reading.path)
  if (form === null) throw new NotPlain()
  return await openPlain(reading, form)
}

/** A line longer than this is left to the reader of CSV. Walking through one piece takes some 2 ms. */
const PIECE_BYTES = 524_288
const [LF, CR, QUOTE, COMMA, ZERO, NINE] = [10, 13, 34, 44, 48, 57]

/** Where the line at hand stands among the bytes that are loaded, and how many are. */
type Place = { start: number; end: number; filled: number; isEnd: boolean }

/** Lines are looked for in the bytes themselves: of most records nothing else is ever asked. */
async function openPlain(reading: Reading, form: CsvForm): Promise<Cursor> {
  const { path, toKey, signal, tell } = reading
  const file = await open(path)
  const bytes = Buffer.allocUnsafe(PIECE_BYTES)
  const place: Place = { start: 0, end: 0, filled: 0, isEnd: false }
  const { header, newline } = form
  const isCrlf = newline === '\r\n'
  const idAt = reading.isUnique ? header.indexOf('id') : -1
  let [isBegun, read] = [false, 0]

  const show = (from: number) => {
    cursor.key = null
    if (!findLine(bytes, place, { from, isCrlf })) return
    read += 1
    const number = idAt === -1 ? null : readNumber(bytes, place, idAt)
    cursor.key = number ?? toKey(cursor.cells(), header)
  }
  const cursor: Cursor = {
    key: null,
    isOver: false,
    form: `${header.join(',')}${newline}`,
    header: () => header,
    cells: () => bytes.toString('utf8', place.start, place.end).split(','),
    line: () => ({ bytes, start: place.start, end: place.end }),
    next() {
      const at = bytes.indexOf(LF, place.end)
      show(at === -1 ? place.filled : at + 1)
    },
    async load() {
      tell(read)
      signal.throwIfAborted()
      read = 0
      if (!place.isEnd) {
        const whole = await loadPiece(file, bytes, { place, isCrlf })
        // The first line is the header.
        show(isBegun || whole === 0 ? 0 : bytes.indexOf(LF) + 1)
        isBegun ||= whole > 0
      }
      cursor.isOver = place.isEnd && cursor.key === null
    },
    close: async () => await file.close(),
  }
  return cursor
}

/** Loads more behind the line at hand, which is moved to the front. Gives where the last line that is whole ends. */
async function loadPiece(
  file: FileHandle,
  bytes: Buffer,
  { place, isCrlf }: { place: Place; isCrlf: boolean },
): Promise<number> {
  const held = place.filled - place.start
  if (held === bytes.length) throw new NotPlain()
  bytes.copyWithin(0, place.start, place.filled)
  const { bytesRead } = await file.read(bytes, held, bytes.length - held, null)
  place.isEnd = bytesRead === 0
  place.filled = held + bytesRead
  refuseStrange(bytes.subarray(held, place.filled), isCrlf)
  const loaded = bytes.subarray(0, place.filled)
  const whole = place.isEnd ? place.filled : loaded.lastIndexOf(LF) + 1
  if (!isUtf8(loaded.subarray(0, whole))) throw new NotPlain()
  // Nothing behind what was read may be taken for a line end.
  bytes.fill(0, place.filled)
  return whole
}

/** Finds the line from `from` on that is no empty one; false where it has not all been loaded. */
function findLine(
  bytes: Buffer,
  place: Place,
  { from, isCrlf }: { from: number; isCrlf: boolean },
): boolean {
  place.start = from
  for (;;) {
    const at = bytes.indexOf(LF, place.start)
    if (at === -1 && !(place.isEnd && place.start < place.filled)) return false
    place.end = at === -1 ? place.filled : isCrlf ? at - 1 : at
    const isEnded = at === -1 || !isCrlf || (place.end >= place.start && bytes[place.end] === CR)
    if (!isEnded) throw new NotPlain()
    if (place.end > place.start) break
    place.start = at + 1
  }
  const strange = isCrlf ? bytes.indexOf(CR, place.start) : -1
  if (strange !== -1 && strange < place.end) throw new NotPlain()
  return true
}

function refuseStrange(piece: Buffer, isCrlf: boolean): void {
  if (piece.includes(QUOTE) || piece.includes(0) || (!isCrlf && piece.includes(CR))) {
    throw new NotPlain()
  }
}

/** A whole number in the cell behind `skip` commas, where it is written as it would be; null otherwise. */
function readNumber(bytes: Buffer, { start, end }: Place, skip: number): number | null {
  let from = start
  for (let skipped = 0; skipped < skip; skipped += 1) {
    from = bytes.indexOf(COMMA, from) + 1
    if (from === 0 || from > end) return null
  }
  let value = 0
  let at = from
  for (; at < end && bytes[at] !== COMMA; at += 1) {
    const digit = bytes[at] ?? 0
    if (digit < ZERO || digit > NINE) return null
    value = value * 10 + digit - ZERO
  }
  const length = at - from
  const isWritten = length > 0 && length <= EXACT_DIGITS && (length === 1 || bytes[from] !== ZERO)
  return isWritten ? value : null
}

/** Parsing one piece takes some 2 ms. */
const PARSED_BYTES = 32_768

function openParsed({ path, toKey, signal, tell }: Reading): Cursor {
  const reader = createCsvReader()
  // Opened with the first step: what is never read holds no file.
  let pieces: AsyncIterator<Uint8Array> | null = null
  let [records, at, isEnd]: [string[][], number, boolean] = [[], -1, false]
  const header = () => reader.header() ?? []
  const show = () => {
    const record = records[at]
    cursor.key = record ? toKey(record, header()) : null
  }
  const cursor: Cursor = {
    ...{ key: null, isOver: false, form: null, header },
    cells: () => records[at] ?? [],
    line: () => ({ bytes: Buffer.alloc(0), start: 0, end: 0 }),
    next() {
      at += 1
      show()
    },
    async load() {
      for (;;) {
        tell(records.length)
        signal.throwIfAborted()
        if (isEnd) {
          cursor.isOver = true
          return
        }
        pieces ??= nodeDisk.read(path, { pieceBytes: PARSED_BYTES })[Symbol.asyncIterator]()
        const { done, value } = await pieces.next()
        isEnd = done === true
        const read = isEnd ? reader.end().records : reader.push(value)
        const error = reader.error()
        if (error) throw toDumpFault(error)
        records = read.map(({ cells }) => cells)
        at = 0
        if (records.length > 0) return show()
      }
    },
    close: async () => void (await pieces?.return?.()),
  }
  return cursor
}

const SORTED_AT_ONCE = 2048

/** All records of a file are put in order by the database, and then read one by one. */
async function openSorted(reading: Reading): Promise<Cursor> {
  const { signal, spillPath, isUnique } = reading
  const raw = await openRaw(reading)
  const sorter = await openSorter({ spillPath, signal })
  let records = 0
  try {
    let batch: [string, string][] = []
    for (;;) {
      while (raw.key === null && !raw.isOver) await raw.load()
      if (raw.isOver) break
      batch.push([String(raw.key), JSON.stringify(raw.cells())])
      records += 1
      raw.next()
      if (batch.length < SORTED_AT_ONCE) continue
      await sorter.append(batch)
      batch = []
    }
    await sorter.append(batch)
  } catch (error) {
    await sorter.close()
    throw error
  } finally {
    await raw.close()
  }
  return toSortedCursor(sorter.read(records), {
    ...{ isUnique, header: raw.header(), close: sorter.close },
  })
}

type SortedOptions = { isUnique: boolean; header: readonly string[]; close: () => Promise<void> }

function toSortedCursor(
  batches: AsyncGenerator<{ key: string; cells: string }[]>,
  { isUnique, header, close }: SortedOptions,
): Cursor {
  let [rows, at]: [{ key: string; cells: string }[], number] = [[], -1]
  const toShown = (key: string): Key =>
    DIGITS.test(key) && key.length <= EXACT_DIGITS ? Number(key) : key
  /** The last of those with one key; where what follows has not been loaded, nobody knows it yet. */
  const show = () => {
    while (isUnique && rows[at] && rows[at + 1]?.key === rows[at]?.key) at += 1
    const row = rows[at]
    const isKnown = row !== undefined && (!isUnique || at + 1 < rows.length || isEnd)
    cursor.key = isKnown ? toShown(row.key) : null
  }
  let isEnd = false
  const cursor: Cursor = {
    ...{ key: null, isOver: false, form: null, header: () => header },
    cells: () => JSON.parse(rows[at]?.cells ?? '[]'),
    line: () => ({ bytes: Buffer.alloc(0), start: 0, end: 0 }),
    next() {
      at += 1
      show()
    },
    async load() {
      for (;;) {
        if (isEnd) {
          cursor.isOver = true
          return
        }
        const { done, value } = await batches.next()
        isEnd = done === true
        rows = [...rows.slice(Math.max(0, at)), ...(isEnd ? [] : value)]
        at = 0
        show()
        if (cursor.key !== null) return
      }
    },
    close: async () => {
      await batches.return(undefined)
      await close()
    },
  }
  return cursor
}
