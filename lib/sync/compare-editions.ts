import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StepProgress } from '#lib/contract/answers/progress.ts'
import type { EditionChanges } from '#lib/contract/answers/state.ts'
import { createCsvReader } from './csv-reader.ts'
import { type Disk, nodeDisk } from './disk.ts'
import { createKeyTable, type KeyTable } from './key-table.ts'
import { hashCells } from './record-hash.ts'
import type { KeptEdition } from './sync.ts'

/** Above that it is left undone: at some 20 bytes a row it would take more memory than it is worth. */
export const COMPARED_ROWS_MAX = 10_000_000
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
