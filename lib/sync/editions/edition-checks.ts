import { hashFile } from '#lib/sync/disk.ts'
import type { Log } from '#lib/sync/sync.ts'
import type { KeptEditions } from './kept-editions.ts'

type EditionCheck = {
  settled(): Promise<void>
  close(): Promise<void>
}

/** Removes current editions that no longer match their checksum, in the background. */
export function checkEditions(content: KeptEditions, log: Log): EditionCheck {
  const closing = new AbortController()
  const { signal } = closing
  const done = dropCorrupt(content, log, signal).catch((error) => {
    const reason = error instanceof Error ? error.name : 'unknown'
    if (!signal.aborted) log('editions could not be checked', { reason })
  })
  return {
    settled: async () => await done,
    async close() {
      closing.abort()
      await done
    },
  }
}

/** Repeats: two names may share the same bytes. */
async function dropCorrupt(content: KeptEditions, log: Log, signal: AbortSignal): Promise<void> {
  for (;;) {
    const current = content.current()
    if (!current || (await hashFile(current.path, signal)) === current.sha256) return
    log('an edition no longer matches its checksum', { file: current.fileName })
    await content.forget(current, { remove: true })
  }
}
