import { createReadStream } from 'node:fs'
import type { ImportOutcome, ImportRun } from '#lib/archive/archive.ts'
import type { StepProgress } from '#lib/contract/answers/progress.ts'
import { AppError } from '#lib/contract/faults.ts'
import {
  type IncomingRating,
  parseCsvRating,
  type RejectedRow,
} from '#lib/contract/incoming-rating.ts'
import { editionAt } from '#lib/contract/weekly-clock.ts'
import { createCsvReader } from './csv-reader.ts'
import { withImport } from './import-run.ts'
import type { KeptEdition, SyncArchive } from './sync.ts'

const BATCH_ROWS = 10_000
/** Small enough that parsing one piece holds up nobody: some 10 ms. */
const READ_BYTES = 131_072

export type ImportEditionOptions = {
  archive: SyncArchive
  edition: KeptEdition
  signal: AbortSignal
  onProgress: (progress: StepProgress) => void
  /** Throws where it does not believe that so many of the ratings that the archive holds are gone. */
  judge: (count: VanishedCount) => void
}

export type VanishedCount = Awaited<ReturnType<ImportRun['countVanished']>>

/**
 * Brings a kept posts dump into the archive: as a whole where the database reads it as we do, else record by record. What
 * is no rating goes to the quarantine; what the archive holds and the dump does not is marked. Throws AppError, or what
 * `judge` throws; the archive is then as it was.
 */
export async function importEdition(options: ImportEditionOptions): Promise<ImportOutcome> {
  const reading = { isWhole: false }
  try {
    return await importOnce(options, async (run) => {
      reading.isWhole = await appendWhole(run, options)
      if (!reading.isWhole) await appendFile(run, options)
    })
  } catch (error) {
    // What the database cannot do at once it may do bit by bit: nobody tries the same in vain for ever.
    if (!reading.isWhole || error instanceof AppError || options.signal.aborted) throw error
    return await importOnce(options, async (run) => await appendFile(run, options))
  }
}

async function importOnce(
  options: ImportEditionOptions,
  fill: (run: ImportRun) => Promise<void>,
): Promise<ImportOutcome> {
  const { archive, edition } = options
  return await withImport(archive, { kind: 'dump', name: edition.edition }, async (run) => {
    await fill(run)
    const { rows } = edition
    options.onProgress({ step: 'deriving', done: rows, total: rows, unit: 'rows' })
    const at = editionAt(edition.fetched_at)
    options.judge(await run.countVanished({ at }))
    return { completeTo: Math.max(archive.state().completeTo ?? 0, at), whole: { at } }
  })
}

/** What is not taken as a whole is not staged at all. */
async function appendWhole(run: ImportRun, options: ImportEditionOptions): Promise<boolean> {
  const { edition, signal, onProgress } = options
  const { path, rows } = edition
  onProgress({ step: 'importing', done: 0, total: rows, unit: 'rows' })
  signal.throwIfAborted()
  try {
    return await run.appendCsv({ path, rows, signal })
  } finally {
    signal.throwIfAborted()
  }
}

async function appendFile(run: ImportRun, options: ImportEditionOptions): Promise<void> {
  const { edition, signal, onProgress } = options
  const reader = createCsvReader()
  let rows: IncomingRating[] = []
  let rejected: RejectedRow[] = []
  let done = 0
  const flush = async () => {
    await run.append(rows, rejected)
    done += rows.length + rejected.length
    onProgress({ step: 'importing', done, total: edition.rows, unit: 'rows' })
    rows = []
    rejected = []
  }
  const take = async (records: readonly string[][]) => {
    const header = reader.header() ?? []
    for (const cells of records) {
      const parsed = parseCsvRating(header, cells)
      if (parsed.ok) rows.push({ rating: parsed.rating, extra: parsed.extra })
      else rejected.push({ reason: parsed.reason, raw: parsed.raw })
    }
    if (rows.length + rejected.length >= BATCH_ROWS) await flush()
  }
  onProgress({ step: 'importing', done, total: edition.rows, unit: 'rows' })
  for await (const bytes of createReadStream(edition.path, { highWaterMark: READ_BYTES })) {
    signal.throwIfAborted()
    await take(reader.push(bytes))
  }
  await take(reader.end().records)
  if (rows.length + rejected.length > 0) await flush()
}
