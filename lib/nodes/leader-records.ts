import type { Documents } from '#lib/store/documents.ts'
import type { Lease } from '#lib/store/lease.ts'
import { type ImportedMark, openImported } from '#lib/sync/editions/edition-store.ts'
import { type KeptDiscovery, openDiscovery } from '#lib/sync/reading/discovery.ts'
import { openKeptRunLog, type RunLog } from '#lib/sync/running/run-log.ts'
import type { Log } from '#lib/sync/sync.ts'
import type { KeptText } from '#lib/upstream/replace-file.ts'

type LeaderRecords = {
  discovery: KeptDiscovery
  runLog: RunLog
  imported: ImportedMark
  pause: KeptText
}

type LeaderRecordsOptions = {
  documents: Documents
  /** Nothing is saved once it is lost. */
  lease: Lease
  /** Unix seconds. */
  now: () => number
  log?: Log
}

/** Throws AppError. */
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

export const PAUSE_DOCUMENT = 'pause'

type KeptRecords = Record<'discovery' | 'runs' | 'imported' | typeof PAUSE_DOCUMENT, string | null>

export async function carryRecords(
  documents: Pick<Documents, 'save'>,
  lease: Lease,
  records: KeptRecords,
): Promise<void> {
  for (const [name, text] of Object.entries(records)) {
    if (text !== null) await documents.save(name, text, { lease })
  }
}

export const createFollowedPause = (documents: Pick<Documents, 'load'>): KeptText => ({
  load: async () => (await documents.load(PAUSE_DOCUMENT))?.content ?? null,
  save: async () => undefined,
})
