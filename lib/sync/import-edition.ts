import { createReadStream } from 'node:fs'
import type { ImportOutcome, ImportRun } from '#lib/archive/archive.ts'
import type { Progress } from '#lib/contract/answers/state.ts'
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
  onProgress: (progress: Progress) => void
}

/** Brings a kept posts dump into the archive, row by row from disk. What is no rating goes to the quarantine. */
export async function importEdition(options: ImportEditionOptions): Promise<ImportOutcome> {
  const { archive, edition } = options
  return await withImport(archive, { kind: 'dump', name: edition.edition }, async (run) => {
    await appendFile(run, options)
    options.onProgress({ step: 'deriving', done: edition.rows, total: edition.rows, unit: 'rows' })
    const before = archive.state().completeTo
    return { completeTo: Math.max(before ?? 0, editionAt(edition.fetched_at)) }
  })
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
