import type { SyncRun } from '#lib/contract/answers/sync-runs.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { isFresh } from './edition-age.ts'
import { importEdition, type VanishedCount } from './import-edition.ts'
import { isOutstanding } from './outstanding.ts'
import type { NewReading } from './page-reader.ts'
import { readAllPages } from './read-all-pages.ts'
import type { EditionStore, KeptEdition, Log, SyncArchive } from './sync.ts'
import type { SyncStatus } from './sync-status.ts'

/** Fetches of the dump that may fail before a first archive is filled from pages instead. */
const DUMP_ATTEMPTS = 4
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
      if (!('fault' in edition)) {
        return await bringIn(deps, edition, signal)
      }
      dumpFailures += 1
      if (signal.aborted || !mayReadPages(edition, dumpFailures)) throw edition
      deps.log('the archive is filled from pages', { reason: edition.message })
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
      if (!isOutstanding(deps)) return null
      status.enter('reconciling')
      // Not the one at hand: its file may have gone, and then it is fetched again.
      return await bringIn(deps, await editions.ensure('posts', { signal }), signal)
    },
  }
}

async function bringIn(deps: FillDeps, edition: KeptEdition, signal: AbortSignal): Promise<Filled> {
  const { archive, editions, status, log } = deps
  const refusal: { reason: string | null } = { reason: null }
  const judge = (count: VanishedCount) => {
    if (editions.isConfirmed('posts')) return
    refusal.reason = selectRefusal(edition, count)
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

function selectRefusal({ edition }: KeptEdition, { vanished, expected }: VanishedCount) {
  if (vanished <= expected * VANISHED_LIMIT) return null
  return `The posts dump of ${edition} lacks ${vanished} of ${expected} ratings that the archive holds: it waits for another that confirms it.`
}

/** A service that answers, but has no such dump; or one whose dump failed time and again. */
const mayReadPages = ({ fault }: AppError, failures: number) =>
  fault === 'upstream_contract' ||
  (failures >= DUMP_ATTEMPTS && (fault === 'upstream_unavailable' || fault === 'upstream_timeout'))
