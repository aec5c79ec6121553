import { type AppError, toAppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { importEdition } from './import-edition.ts'
import { readAllPages } from './read-all-pages.ts'
import type { EditionStore, KeptEdition, Log, SyncArchive } from './sync.ts'
import type { NewReading } from './sync-follow.ts'
import type { SyncStatus } from './sync-status.ts'

/** Fetches of the dump that may fail before a first archive is filled from pages instead. */
const DUMP_ATTEMPTS = 4

export type FillDeps = {
  archive: SyncArchive
  editions: EditionStore
  now: () => number
  status: SyncStatus
  log: Log
  newReading: NewReading
}

/** The steps of a sync that have to do with dumps. Each leaves the archive as of its last commit. */
export type Filling = {
  /** Fills an archive that was never filled. Throws AppError. */
  bootstrap(signal: AbortSignal): Promise<void>
  /** Has the dump of the week fetched if it is not kept; gives why that failed. Throws only when aborted. */
  fetchDump(kind: DumpKind, signal: AbortSignal): Promise<AppError | null>
  /** Brings the kept posts dump in, unless the archive was made equal to it already. Throws AppError. */
  reconcile(signal: AbortSignal): Promise<void>
}

export function createFilling(deps: FillDeps): Filling {
  const { archive, editions, now, status } = deps
  let dumpFailures = 0
  return {
    async bootstrap(signal) {
      status.enter('bootstrapping', () => editions.card('posts').progress)
      const edition = await editions.ensure('posts', { signal, pressing: true }).catch(toAppError)
      if (!('fault' in edition)) {
        await bringIn(deps, edition, signal)
        return
      }
      dumpFailures += 1
      if (signal.aborted || !mayReadPages(edition, dumpFailures)) throw edition
      deps.log('the archive is filled from pages', { reason: edition.message })
      status.enter('bootstrapping')
      await readAllPages(deps.newReading(signal).reading)
    },
    async fetchDump(kind, signal) {
      status.enter('reconciling', () => editions.card(kind).progress)
      try {
        const edition = await editions.ensure(kind, { signal })
        return edition.next_due_at > now() ? null : editions.failure(kind)
      } catch (error) {
        if (signal.aborted) throw error
        return toAppError(error)
      }
    },
    async reconcile(signal) {
      const edition = editions.current('posts')
      const imported = editions.imported()
      if (!edition) return
      // A generation below the noted one is another archive than the one that was made equal.
      const isSame = imported && imported.generation <= archive.state().generation
      if (isSame && imported.sha256 === edition.sha256) return
      status.enter('reconciling')
      // Not the one at hand: its file may have gone, and then it is fetched again.
      await bringIn(deps, await editions.ensure('posts', { signal }), signal)
    },
  }
}

async function bringIn(deps: FillDeps, edition: KeptEdition, signal: AbortSignal): Promise<void> {
  const { archive, editions, status, log } = deps
  const onProgress = status.progress
  const outcome = await importEdition({ archive, edition, signal, onProgress })
  const { inserted, updated, quarantined, generation } = outcome
  log('a dump was imported', { edition: edition.edition, inserted, updated, quarantined })
  await editions.markImported({ sha256: edition.sha256, generation })
}

/** A service that answers, but has no such dump; or one whose dump failed time and again. */
const mayReadPages = ({ fault }: AppError, failures: number) =>
  fault === 'upstream_contract' ||
  (failures >= DUMP_ATTEMPTS && (fault === 'upstream_unavailable' || fault === 'upstream_timeout'))
