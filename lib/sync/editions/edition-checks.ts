import { rm } from 'node:fs/promises'
import {
  type ComparedFile,
  type CsvComparison,
  openComparison,
} from '#lib/archive/import/csv-comparison.ts'
import type { EditionChanges, StepProgress } from '#lib/contract/answers/status.ts'
import { hashFile, nodeDisk } from '#lib/sync/disk.ts'
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

export type EditionChecksOptions = {
  content: KeptEditions
  /** A folder that is there while editions are compared. */
  spillPath: string
  log: Log
}

export function createEditionChecks(options: EditionChecksOptions): EditionChecks {
  const { content, spillPath, log } = options
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
        spillPath,
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

/** Above that it is left undone: what it takes on the disk meanwhile is more than it is worth. */
const COMPARED_ROWS_MAX = 10_000_000
/** Parsing one piece takes some 2 ms. */
const PIECE_BYTES = 32_768
const APPENDED_ROWS = 2048

type Side = Pick<KeptEdition, 'path' | 'rows' | 'columns'>

export type Comparing = {
  before: Side
  after: Side
  /** A folder that is there while it runs. */
  spillPath: string
  signal: AbortSignal
  onProgress?: (progress: StepProgress) => void
}

export type Counts = Omit<EditionChanges, 'against'>

/**
 * How many records were added, changed and lost from one edition to the next, by the columns that both have. Both are
 * told apart by `id` where both have such a column, the last row of an id counting; otherwise by their text, as often as
 * it occurs, and then none is changed. A plain file is read by the database, any other one record by record, as it was when
 * it came. Throws what the file system or the database says, or the reason of an abort.
 */
export async function compareEditions(comparing: Comparing): Promise<Counts> {
  const { before, after, spillPath, signal, onProgress } = comparing
  signal.throwIfAborted()
  const names = selectShared(before, after)
  const comparison = await openComparison({ names, spillPath, signal })
  const total = before.rows + after.rows
  let done = 0
  const tell = (rows: number) => {
    done += rows
    onProgress?.({ step: 'comparing', done, total, unit: 'rows' })
  }
  try {
    for (const [file, side] of [['before', before] as const, ['after', after] as const]) {
      const isTaken = await comparison.read(file, side.path)
      if (isTaken) tell(side.rows)
      else await appendRecords(comparison, { file, path: side.path, names, signal, tell })
    }
    return await comparison.count()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    await comparison.close()
    await rm(spillPath, { recursive: true, force: true })
  }
}

function selectShared(before: Side, after: Side): string[] {
  const names = new Set(after.columns.map(({ name }) => name))
  return before.columns.map(({ name }) => name).filter((name) => names.has(name))
}

type Appending = {
  file: ComparedFile
  path: string
  names: readonly string[]
  signal: AbortSignal
  tell: (rows: number) => void
}

async function appendRecords(comparison: CsvComparison, appending: Appending): Promise<void> {
  const { file, path, names, signal, tell } = appending
  const reader = createCsvReader()
  const append = async (records: readonly string[][]) => {
    signal.throwIfAborted()
    const indexes = names.map((name) => reader.header()?.indexOf(name) ?? -1)
    for (let start = 0; start < records.length; start += APPENDED_ROWS) {
      const part = records.slice(start, start + APPENDED_ROWS)
      await comparison.append(
        file,
        part.map((record) => indexes.map((index) => record[index] ?? '')),
      )
    }
    tell(records.length)
  }
  for await (const piece of nodeDisk.read(path, { pieceBytes: PIECE_BYTES })) {
    await append(reader.push(piece))
  }
  await append(reader.end().records)
}
