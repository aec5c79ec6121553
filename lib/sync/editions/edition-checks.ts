import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EditionChanges, StepProgress } from '#lib/contract/answers/status.ts'
import { type Disk, hashFile, nodeDisk } from '#lib/sync/disk.ts'
import type { KeptEdition, Log } from '#lib/sync/sync.ts'
import { createCsvReader } from './dump-csv.ts'
import type { KeptEditions } from './kept-editions.ts'

/** What is done about editions in the background, while they are served already. */
export type EditionChecks = {
  /** Reads the current edition again, which lay on disk while nobody looked, and drops it where its bytes have changed. */
  verify(): void
  /** Works out what is not known yet of what changed from one edition to the next. */
  compare(): void
  progress(): StepProgress | null
  /** Resolves when nothing is left to do. */
  settled(): Promise<void>
  /** Breaks off what runs, and waits for it. */
  close(): Promise<void>
}

export function createEditionChecks(content: KeptEditions, log: Log): EditionChecks {
  const closing = new AbortController()
  const { signal } = closing
  const tried = new Set<string>()
  let progress: StepProgress | null = null
  let last: Promise<void> = Promise.resolve()

  const later = (work: () => Promise<void>) => {
    last = last.then(async () => {
      try {
        if (!signal.aborted) await work()
      } catch (error) {
        const reason = error instanceof Error ? error.name : 'unknown'
        if (!signal.aborted) log('editions could not be looked after', { reason })
      } finally {
        progress = null
      }
    })
  }
  const compareAll = async () => {
    for (;;) {
      const pair = selectPair(content, tried)
      if (!pair) return
      tried.add(toKey(pair))
      const counts = await compareEditions({
        ...pair,
        signal,
        onProgress: (step) => {
          progress = step
        },
      })
      await content.noteChanges(pair.after, { against: pair.before.edition, ...counts })
      const { kind, edition } = pair.after
      log('two editions were compared', { kind, edition, ...counts })
    }
  }
  return {
    verify: () => later(async () => await dropCorrupt(content, log, signal)),
    compare: () => later(compareAll),
    progress: () => progress,
    settled: async () => await last,
    async close() {
      closing.abort()
      await last
    },
  }
}

type Pair = { before: KeptEdition; after: KeptEdition }

/** The newest two, and the one aside with the current one: whichever has not been compared. */
function selectPair(content: KeptEditions, tried: ReadonlySet<string>): Pair | null {
  for (const after of [content.current(), content.heldBack()]) {
    const before = after && content.before(after)
    if (!after || !before || after.changes !== null) continue
    const isSmall = Math.max(before.rows, after.rows) <= COMPARED_ROWS_MAX
    if (isSmall && !tried.has(toKey({ before, after }))) return { before, after }
  }
  return null
}

const toKey = ({ before, after }: Pair) => `${before.sha256} ${after.sha256}`

/** Until the current one is sound: two names may share the same bytes. */
async function dropCorrupt(content: KeptEditions, log: Log, signal: AbortSignal): Promise<void> {
  for (;;) {
    const current = content.current()
    if (!current || (await hashFile(current.path, signal)) === current.sha256) return
    log('an edition does not hold the bytes any more that came', { file: current.fileName })
    await content.forget(current, { remove: true })
  }
}

/** Above that it is left undone: at some 20 bytes a row it would take more memory than it is worth. */
const COMPARED_ROWS_MAX = 10_000_000
/** Parsing and hashing one piece takes some 2 ms. */
const PIECE_BYTES = 32_768
/** Digits that name the same number are the same id, whatever stands before them. */
const PLAIN_ID = /^\+?0*(\d+)$/

type Side = Pick<KeptEdition, 'path' | 'rows' | 'columns'>

export type Comparing = {
  before: Side
  after: Side
  signal: AbortSignal
  onProgress?: (progress: StepProgress) => void
  disk?: Disk
}

export type Counts = Omit<EditionChanges, 'against'>

/**
 * How many records were added, changed and lost from one edition to the next, by the columns that both have. Both are
 * told apart by `id` where both have such a column, the last row of an id counting; otherwise by their text, as often as
 * it occurs, and then none is changed. Some 20 bytes a row are held while it runs. Throws what the file system says, the
 * reason of an abort, or RangeError for records made to collide.
 */
export async function compareEditions(comparing: Comparing): Promise<Counts> {
  const { before, after, signal, onProgress } = comparing
  const table = createKeyTable(before.rows * 1.1)
  const names = selectShared(before, after)
  const count = names.includes('id') ? countById(table) : countByText(table)
  const total = before.rows + after.rows
  let done = 0
  const read = async (side: Side, see: (record: Read) => void) => {
    for await (const records of readRecords(comparing.disk ?? nodeDisk, side, names)) {
      signal.throwIfAborted()
      await table.reserve(records.length)
      for (const record of records) see(record)
      done += records.length
      onProgress?.({ step: 'comparing', done, total, unit: 'rows' })
      await nextTurn()
    }
  }
  await read(before, count.before)
  await read(after, count.after)
  return count.result()
}

function selectShared(before: Side, after: Side): string[] {
  const names = new Set(after.columns.map(({ name }) => name))
  return before.columns.map(({ name }) => name).filter((name) => names.has(name))
}

/** The cells under the columns that both have, in one order; and the id, '' where there is none. */
type Read = { cells: string[]; id: string }

async function* readRecords(disk: Disk, side: Side, names: readonly string[]) {
  const reader = createCsvReader()
  const pick = (records: readonly string[][]): Read[] => {
    const header = reader.header() ?? []
    const indexes = names.map((name) => header.indexOf(name))
    const idIndex = names.includes('id') ? header.indexOf('id') : -1
    return records.map((record) => ({
      cells: indexes.map((index) => record[index] ?? ''),
      id: (record[idIndex] ?? '').replace(PLAIN_ID, '$1'),
    }))
  }
  for await (const piece of disk.read(side.path, { pieceBytes: PIECE_BYTES })) {
    yield pick(reader.push(piece))
  }
  yield pick(reader.end().records)
}

type Count = {
  before(record: Read): void
  after(record: Read): void
  result(): Counts
}

/** The value of an id is the hash of its record. */
function countById(table: KeyTable): Count {
  const [OLD, SAME, CHANGED, NEW] = [1, 2, 3, 4]
  const counts = { [OLD]: 0, [SAME]: 0, [CHANGED]: 0, [NEW]: 0 }
  const mark = (slot: number, next: number, value: number) => {
    const last = table.markOf(slot)
    if (last !== 0) counts[last] = (counts[last] ?? 0) - 1
    counts[next] = (counts[next] ?? 0) + 1
    table.set(slot, next, value)
  }
  return {
    before({ id, cells }) {
      const { high, low } = hashCells([id])
      mark(table.put(high, low), OLD, hashCells(cells).low)
    },
    after({ id, cells }) {
      const { high, low } = hashCells([id])
      const slot = table.put(high, low)
      const isNew = [0, NEW].includes(table.markOf(slot))
      const isSame = table.valueOf(slot) === hashCells(cells).low
      mark(slot, isNew ? NEW : isSame ? SAME : CHANGED, table.valueOf(slot))
    },
    result: () => ({
      added: counts[NEW] ?? 0,
      changed: counts[CHANGED] ?? 0,
      gone: counts[OLD] ?? 0,
    }),
  }
}

/** The value of a text is how often it is still to come. */
function countByText(table: KeyTable): Count {
  let added = 0
  let gone = 0
  return {
    before({ cells }) {
      const { high, low } = hashCells(cells)
      const slot = table.put(high, low)
      table.set(slot, 1, table.valueOf(slot) + 1)
      gone += 1
    },
    after({ cells }) {
      const { high, low } = hashCells(cells)
      const slot = table.find(high, low)
      const left = slot === -1 ? 0 : table.valueOf(slot)
      if (left === 0) {
        added += 1
        return
      }
      table.set(slot, 1, left - 1)
      gone -= 1
    },
    result: () => ({ added, changed: 0, gone }),
  }
}

/** So full it may be: above that, looking for a key takes long. */
const LOAD_MAX = 2 / 3
/** So many slots are moved in a turn of the event loop. */
const MOVED_AT_ONCE = 65_536
/** No key that is not made for it collides so often. */
const PROBES_MAX = 4096

/**
 * Keys of 64 bits, and with each a value of 32 and a mark that is 0 while nobody has set it. 13 bytes a slot, so some 20
 * to 30 a key.
 */
type KeyTable = {
  /** Makes room for so many more keys, in steps that hold up nobody. */
  reserve(count: number): Promise<void>
  /** The slot of a key, a new one where it was not there. Room for it must have been reserved. Throws RangeError. */
  put(high: number, low: number): number
  /** The slot of a key; -1 where it is not there. */
  find(high: number, low: number): number
  markOf(slot: number): number
  valueOf(slot: number): number
  /** `mark` 1 to 255. */
  set(slot: number, mark: number, value: number): void
}

type Slots = {
  capacity: number
  high: Uint32Array
  low: Uint32Array
  value: Uint32Array
  mark: Uint8Array
}

export function createKeyTable(expected: number): KeyTable {
  let slots = createSlots(expected)
  let keys = 0
  return {
    async reserve(count) {
      if (keys + count <= slots.capacity * LOAD_MAX) return
      slots = await move(slots, createSlots((keys + count) * 1.5))
    },
    put(high, low) {
      const slot = seek(slots, high, low)
      if (slots.mark[slot] !== 0) return slot
      if (keys + 1 >= slots.capacity) throw new RangeError('no room was reserved for a key')
      slots.high[slot] = high
      slots.low[slot] = low
      keys += 1
      return slot
    },
    find(high, low) {
      const slot = seek(slots, high, low)
      return slots.mark[slot] === 0 ? -1 : slot
    },
    markOf: (slot) => slots.mark[slot] ?? 0,
    valueOf: (slot) => slots.value[slot] ?? 0,
    set(slot, mark, value) {
      slots.mark[slot] = mark
      slots.value[slot] = value
    },
  }
}

function createSlots(keys: number): Slots {
  const capacity = Math.ceil(keys / LOAD_MAX) + 1024
  return {
    capacity,
    high: new Uint32Array(capacity),
    low: new Uint32Array(capacity),
    value: new Uint32Array(capacity),
    mark: new Uint8Array(capacity),
  }
}

/** Where the key is, or where it would be put. */
function seek({ capacity, high, low, mark }: Slots, ofHigh: number, ofLow: number): number {
  let slot = ofLow % capacity
  for (let probes = 0; probes < PROBES_MAX; probes += 1) {
    if (mark[slot] === 0 || (high[slot] === ofHigh && low[slot] === ofLow)) return slot
    slot = slot + 1 === capacity ? 0 : slot + 1
  }
  throw new RangeError('too many keys fall together')
}

async function move(from: Slots, to: Slots): Promise<Slots> {
  for (let slot = 0; slot < from.capacity; slot += 1) {
    if (slot % MOVED_AT_ONCE === 0) await nextTurn()
    const mark = from.mark[slot] ?? 0
    if (mark === 0) continue
    const high = from.high[slot] ?? 0
    const low = from.low[slot] ?? 0
    const target = seek(to, high, low)
    to.high[target] = high
    to.low[target] = low
    to.mark[target] = mark
    to.value[target] = from.value[slot] ?? 0
  }
  return to
}

const LANES = [0x9e3779b1, 0x85ebca77] as const
const MULTIPLIERS = [0x01000193, 0x5bd1e995] as const
/** Stands between two cells; no unit of UTF-16 is so great. */
const BETWEEN = 0x10000

/** 64 bits, as two numbers of 32. */
export type Digest = { high: number; low: number }

/** Tells cells apart, but not against somebody who means to mix them up: two texts in some 10^19 fall together. */
export function hashCells(cells: Iterable<string>): Digest {
  let [high, low] = LANES as readonly [number, number]
  for (const cell of cells) {
    for (let index = 0; index < cell.length; index += 1) {
      const unit = cell.charCodeAt(index)
      high = Math.imul(high ^ unit, MULTIPLIERS[0])
      low = Math.imul((low ^ unit) + (low >>> 15), MULTIPLIERS[1])
    }
    high = Math.imul(high ^ BETWEEN, MULTIPLIERS[0])
    low = Math.imul((low ^ BETWEEN) + (low >>> 15), MULTIPLIERS[1])
  }
  return { high: mix(high ^ (low >>> 7)), low: mix(low ^ (high >>> 9)) }
}

/** Every bit of the result depends on every bit that came. */
function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return (twice ^ (twice >>> 16)) >>> 0
}
