import type { ImportOutcome, ImportRun } from '#lib/archive/archive.ts'
import type { StepProgress, SyncRun } from '#lib/contract/answers/status.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import { type IncomingRating, parseCsvRating, type RejectedRow } from '#lib/contract/rating.ts'
import { type DumpKind, editionAt, editionName } from '#lib/contract/weekly-clock.ts'
import { type CsvBatch, readCsvFile } from '#lib/csv/read-csv-file.ts'
import { isFresh } from '#lib/sync/editions/kept-editions.ts'
import { readAllPages } from '#lib/sync/reading/all-pages.ts'
import type { NewReading } from '#lib/sync/reading/page-reader.ts'
import type { EditionStore, KeptEdition, Log } from '#lib/sync/sync.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import type { SyncStatus } from '#lib/sync/sync-status.ts'

/** Fetches of the dump that may fail before a first archive is filled from pages instead. */
const DUMP_ATTEMPTS = 4
/** Fewer rows than this that are not ratings are put into quarantine, however few others there are. */
const UNREADABLE_ROWS = 5
/** An edition by which a greater share of the archive would vanish is not believed before a second one says the same. */
const VANISHED_LIMIT = 0.02

export type FillDeps = {
  archive: SyncArchive
  editions: EditionStore
  now: () => number
  status: SyncStatus
  log: Log
  newReading: NewReading
}

/** What a run brought into the archive; rows are null where nobody counted them, or it brought nothing for a `reason`. */
export type Filled = { rows: SyncRun['rows']; reason?: string }

/** The steps of a sync that have to do with dumps. Each leaves the archive as of its last commit. */
export type Filling = {
  /** Fills an archive that was never filled. Throws AppError. */
  bootstrap(signal: AbortSignal): Promise<Filled>
  /**
   * Has the dump of the week fetched if it is not kept; gives why that failed. `again`: although it is kept, since what
   * came may be the wrong one. Throws only when aborted.
   */
  fetchDump(kind: DumpKind, signal: AbortSignal, again?: boolean): Promise<AppError | null>
  /**
   * Brings the kept posts dump in, and marks what it lacks; null where the archive was made equal to it, or to a newer
   * one, already. Where too much would vanish the edition is set aside, and that is the reason. Throws AppError.
   */
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
      // Not the one at hand: its file may have gone, and then it is fetched again.
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

/** Of a file of ratings nearly every row is one. */
function selectUnreadable({ edition, rows }: KeptEdition, { rejected }: ImportCount) {
  if (rejected * 2 <= rows || (rejected < UNREADABLE_ROWS && rejected < rows)) return null
  return `In the posts dump of ${edition}, ${rejected} of ${rows} rows are not ratings.`
}

function selectRefusal({ edition }: KeptEdition, { vanished, expected }: ImportCount) {
  if (vanished <= expected * VANISHED_LIMIT) return null
  return `The posts dump of ${edition} lacks ${vanished} of ${expected} ratings that the archive holds: it waits for another that confirms it.`
}

/** A service that answers, but has no such dump; or one whose dump failed time and again. */
const mayReadPages = ({ fault }: AppError, failures: number) =>
  fault === 'upstream_contract' ||
  (failures >= DUMP_ATTEMPTS && (fault === 'upstream_unavailable' || fault === 'upstream_timeout'))

const BATCH_ROWS = 10_000

export type ImportEditionOptions = {
  archive: Pick<SyncArchive, 'state' | 'import'>
  edition: KeptEdition
  signal: AbortSignal
  onProgress: (progress: StepProgress) => void
  /** Throws if too many rows were rejected, or too many ratings of the archive are missing. */
  judge: (count: ImportCount) => void
}

type ImportCount = Awaited<ReturnType<ImportRun['countVanished']>> & { rejected: number }

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
      return reading.isWhole ? 0 : await appendFile(run, options)
    })
  } catch (error) {
    // What the database cannot do at once it may do bit by bit: nobody tries the same in vain for ever.
    if (!reading.isWhole || error instanceof AppError || options.signal.aborted) throw error
    return await importOnce(options, async (run) => await appendFile(run, options))
  }
}

async function importOnce(
  options: ImportEditionOptions,
  /** Returns the number of rejected rows. */
  fill: (run: ImportRun) => Promise<number>,
): Promise<ImportOutcome> {
  const { archive, edition } = options
  return await archive.import({ kind: 'dump', name: edition.edition }, async (run) => {
    const rejected = await fill(run)
    const { rows } = edition
    options.onProgress({ step: 'deriving', done: rows, total: rows, unit: 'rows' })
    const at = editionAt(edition.fetched_at)
    options.judge({ ...(await run.countVanished({ at })), rejected })
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

/** Returns the number of rejected rows. */
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
    for (const { line, cells } of records) {
      const parsed = parseCsvRating(header, cells)
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
 * Whether the posts dump that is kept is to be brought in: it is neither the one that the archive was made equal to nor
 * one before it. The one before comes to be current again where an edition is lost: it has nothing to say to the archive.
 */
export function isImportDue(deps: {
  editions: EditionStore
  archive: SyncArchive
  /** Seconds since 1970. */
  now: () => number
}): boolean {
  const edition = deps.editions.current('posts')
  const imported = deps.editions.imported()
  if (!edition) return false
  // A generation below the noted one is another archive than the one that was made equal.
  if (!imported || imported.generation > deps.archive.state().generation) return true
  if (imported.sha256 === edition.sha256) return false
  if (imported.edition === null || imported.edition <= edition.edition) return true
  // One of a week to come was brought in while the clock was ahead: it is not newer than what came since.
  return imported.edition > editionName(deps.now())
}
