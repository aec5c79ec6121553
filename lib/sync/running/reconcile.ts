import type { ImportOutcome, ImportRun } from '#lib/archive/archive.ts'
import type { StepProgress, SyncRun } from '#lib/contract/answers/status.ts'
import { AppError, type Fault, toAppError } from '#lib/contract/faults.ts'
import {
  type IncomingRating,
  parseCsvRating,
  type RejectedRow,
  rejectRow,
} from '#lib/contract/rating.ts'
import { type DumpKind, editionAt, editionName } from '#lib/contract/weekly-clock.ts'
import { type CsvBatch, readCsvFile } from '#lib/csv/read-csv-file.ts'
import { isFresh } from '#lib/sync/editions/kept-editions.ts'
import { readAllPages } from '#lib/sync/reading/all-pages.ts'
import { dropUnjoined, type KeptDiscovery } from '#lib/sync/reading/discovery.ts'
import type { NewReading } from '#lib/sync/reading/page-reader.ts'
import type { EditionStore, KeptEdition, Log } from '#lib/sync/sync.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import type { SyncStatus } from '#lib/sync/sync-status.ts'

/** Failed dump fetches before a new archive is filled from pages. */
const DUMP_ATTEMPTS = 4
const UNREADABLE_ROWS = 5
/** Greater losses must be confirmed by a second edition. */
const VANISHED_LIMIT = 0.02

type FillDeps = {
  archive: SyncArchive
  editions: EditionStore
  now: () => number
  status: SyncStatus
  log: Log
  newReading: NewReading
  discovery: KeptDiscovery
}

export type Filled = { rows: SyncRun['rows']; reason?: string }

export type Filling = {
  bootstrap(signal: AbortSignal): Promise<Filled>
  /** Returns the error. Throws only if aborted. */
  fetchDump(kind: DumpKind, signal: AbortSignal, again?: boolean): Promise<AppError | null>
  /** Null if up to date. Holds the edition back if too much would vanish. Throws AppError. */
  reconcile(signal: AbortSignal): Promise<Filled | null>
}

export function createFilling(deps: FillDeps): Filling {
  const { editions, now, status } = deps
  let dumpFailures = 0
  return {
    async bootstrap(signal) {
      status.enter('bootstrapping', () => editions.fetching('posts'))
      const edition = await editions.ensure('posts', { signal, pressing: true }).catch(toAppError)
      if ('fault' in edition) {
        dumpFailures += 1
        if (signal.aborted || !mayReadPages(edition, dumpFailures)) throw edition
      }
      const filled: Filled =
        'fault' in edition
          ? { rows: null, reason: edition.message }
          : await bringIn(deps, edition, signal)
      const { reason } = filled
      if (reason === undefined) return filled
      deps.log('the archive is filled from pages', { reason })
      status.enter('bootstrapping')
      return { rows: await readAllPages(deps.newReading(signal).reading) }
    },
    async fetchDump(kind, signal, again = false) {
      status.enter('reconciling', () => editions.fetching(kind))
      try {
        const edition = await editions.ensure(kind, { signal, again })
        return isFresh(edition, now()) ? null : editions.failure(kind)
      } catch (error) {
        if (signal.aborted) throw error
        return toAppError(error)
      }
    },
    async reconcile(signal) {
      if (!isImportDue(deps)) return null
      status.enter('reconciling')
      return await bringIn(deps, await editions.ensure('posts', { signal }), signal)
    },
  }
}

async function bringIn(deps: FillDeps, edition: KeptEdition, signal: AbortSignal): Promise<Filled> {
  const { archive, editions, status, log } = deps
  const refusal: { reason: string | null } = { reason: null }
  const judge = (count: ImportCount) => {
    refusal.reason =
      selectUnreadable(edition, count) ??
      (editions.isConfirmed('posts') ? null : selectRefusal(edition, count))
    if (refusal.reason) throw new AppError('upstream_contract', refusal.reason)
  }
  const onProgress = status.progress
  try {
    const outcome = await importEdition({ archive, edition, signal, onProgress, judge })
    const { inserted, updated, vanished, quarantined, generation } = outcome
    const counts = { inserted, updated, vanished, quarantined }
    log('a dump was imported', { edition: edition.edition, ...counts })
    if (edition.ids) await dropUnjoined(deps.discovery, edition.ids.highest)
    await editions.markImported({
      sha256: edition.sha256,
      edition: edition.edition,
      generation,
    })
    return { rows: counts }
  } catch (error) {
    const { reason } = refusal
    if (reason === null) throw error
    await editions.holdBack('posts', reason)
    log('a dump was set aside', { edition: edition.edition, reason })
    return { rows: null, reason }
  }
}

function selectUnreadable({ edition, rows }: KeptEdition, { rejected }: ImportCount) {
  if (rejected * 2 <= rows || (rejected < UNREADABLE_ROWS && rejected < rows)) return null
  return `In the posts dump of ${edition}, ${rejected} of ${rows} rows are not ratings.`
}

function selectRefusal({ edition }: KeptEdition, { vanished, expected }: ImportCount) {
  if (vanished <= expected * VANISHED_LIMIT) return null
  return `The posts dump of ${edition} lacks ${vanished} of ${expected} ratings that the archive holds. A second dump must confirm it.`
}

const OF_DUMPS: readonly Fault[] = ['upstream_unavailable', 'upstream_timeout', 'budget_spent']

const mayReadPages = ({ fault }: AppError, failures: number) =>
  fault === 'upstream_contract' || (failures >= DUMP_ATTEMPTS && OF_DUMPS.includes(fault))

const BATCH_ROWS = 10_000

type ImportEditionOptions = {
  archive: Pick<SyncArchive, 'state' | 'import'>
  edition: KeptEdition
  signal: AbortSignal
  onProgress: (progress: StepProgress) => void
  judge: (count: ImportCount) => void
}

type ImportCount = Awaited<ReturnType<ImportRun['countVanished']>> & { rejected: number }

/**
 * DuckDB reads the whole file if it parses it the same way, else row by row. On error the archive
 * is unchanged.
 */
export async function importEdition(options: ImportEditionOptions): Promise<ImportOutcome> {
  const reading = { isWhole: false }
  try {
    return await importOnce(options, async (run) => {
      reading.isWhole = await appendWhole(run, options)
      return reading.isWhole ? 0 : await appendFile(run, options)
    })
  } catch (error) {
    // Fall back to row by row rather than fail forever.
    if (!reading.isWhole || error instanceof AppError || options.signal.aborted) throw error
    return await importOnce(options, async (run) => await appendFile(run, options))
  }
}

async function importOnce(
  options: ImportEditionOptions,
  fill: (run: ImportRun) => Promise<number>,
): Promise<ImportOutcome> {
  const { archive, edition } = options
  return await archive.import({ kind: 'dump', name: edition.edition }, async (run) => {
    const rejected = await fill(run)
    const { rows } = edition
    options.onProgress({ step: 'deriving', done: rows, total: rows, unit: 'rows' })
    const at = editionAt(edition.fetched_at)
    options.judge({ ...(await run.countVanished({ at })), rejected })
    // A dump may be older than its Sunday: only what it lists is known to be held.
    const listedTo = Math.min(at, edition.newestCreatedAt ?? 0)
    return { completeTo: Math.max(archive.state().completeTo ?? 0, listedTo), whole: { at } }
  })
}

/** Returns false and stages nothing if DuckDB cannot read the file. */
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

async function appendFile(run: ImportRun, options: ImportEditionOptions): Promise<number> {
  const { edition, signal, onProgress } = options
  let rows: IncomingRating[] = []
  let rejected: RejectedRow[] = []
  let [done, rejectedRows] = [0, 0]
  const flush = async () => {
    await run.append(rows, rejected)
    done += rows.length + rejected.length
    rejectedRows += rejected.length
    onProgress({ step: 'importing', done, total: edition.rows, unit: 'rows' })
    rows = []
    rejected = []
  }
  const take = async ({ header, records }: CsvBatch) => {
    for (const { line, cells, problem } of records) {
      const parsed = problem === null ? parseCsvRating(header, cells) : rejectRow(problem, cells)
      if (parsed.ok) rows.push({ rating: parsed.rating, extra: parsed.extra })
      else rejected.push({ reason: parsed.reason, raw: parsed.raw, line })
    }
    if (rows.length + rejected.length >= BATCH_ROWS) await flush()
  }
  onProgress({ step: 'importing', done, total: edition.rows, unit: 'rows' })
  for await (const batch of readCsvFile(edition.path, signal)) {
    signal.throwIfAborted()
    await take(batch)
  }
  if (rows.length + rejected.length > 0) await flush()
  return rejectedRows
}

/**
 * Skips an edition older than the imported one: it becomes current again if an edition is lost.
 */
export function isImportDue(deps: {
  editions: EditionStore
  archive: SyncArchive
  now: () => number
}): boolean {
  const edition = deps.editions.current('posts')
  const imported = deps.editions.imported()
  if (!edition) return false
  // A lower generation means a different archive.
  if (!imported || imported.generation > deps.archive.state().generation) return true
  if (imported.sha256 === edition.sha256) return false
  if (imported.edition === null || imported.edition <= edition.edition) return true
  // A future edition was imported while the clock was ahead: it is not newer.
  return imported.edition > editionName(deps.now())
}
