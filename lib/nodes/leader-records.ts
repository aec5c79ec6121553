import type { Documents } from '#lib/store/documents.ts'
import type { Lease } from '#lib/store/lease.ts'
import { type ImportedMark, openImported } from '#lib/sync/editions/edition-store.ts'
import { type KeptDiscovery, openDiscovery } from '#lib/sync/reading/discovery.ts'
import { openKeptRunLog, type RunLog } from '#lib/sync/running/run-log.ts'
import type { Log } from '#lib/sync/sync.ts'
import type { KeptText } from '#lib/upstream/replace-file.ts'

/** What whoever syncs keeps beside the ratings, for himself after a restart and for whoever syncs next. */
export type LeaderRecords = {
  discovery: KeptDiscovery
  runLog: RunLog
  /** Which edition the archive was made equal to. */
  imported: ImportedMark
  /** What `CircuitBreaker.keepIn` takes at the beginning of each term: pauses that the service asked for. */
  pause: KeptText
}

export type LeaderRecordsOptions = {
  documents: Documents
  /** Of this term: once it is another's, nothing is saved any more. */
  lease: Lease
  /** Seconds since 1970. */
  now: () => number
  log?: Log
}

/** Opens the records for one term, as the term before left them. Throws AppError where the database cannot be read. */
export async function openLeaderRecords({
  documents,
  lease,
  now,
  log,
}: LeaderRecordsOptions): Promise<LeaderRecords> {
  const keep = (name: string): KeptText => ({
    load: async () => (await documents.load(name))?.content ?? null,
    save: async (text) => await documents.save(name, text, { lease }),
  })
  const [discovery, runLog, imported] = await Promise.all([
    openDiscovery(keep('discovery')),
    openKeptRunLog({ text: keep('runs'), now, ...(log && { log }) }),
    openImported(keep('imported')),
  ])
  return { discovery, runLog, imported, pause: keep(PAUSE_DOCUMENT) }
}

/** The document of the pauses that the service asked for. */
export const PAUSE_DOCUMENT = 'pause'

/** What one process has kept in files, under the names of the documents; null where there is no such file. */
export type KeptRecords = Record<
  'discovery' | 'runs' | 'imported' | typeof PAUSE_DOCUMENT,
  string | null
>

/** Takes over what one process has kept, for whoever syncs first. Throws AppError. */
export async function carryRecords(
  documents: Pick<Documents, 'save'>,
  lease: Lease,
  records: KeptRecords,
): Promise<void> {
  for (const [name, text] of Object.entries(records)) {
    if (text !== null) await documents.save(name, text, { lease })
  }
}

/** The pauses as whoever does not sync goes by them: what he hears himself is kept by nobody. */
export const createFollowedPause = (documents: Pick<Documents, 'load'>): KeptText => ({
  load: async () => (await documents.load(PAUSE_DOCUMENT))?.content ?? null,
  save: async () => undefined,
})
