import type { ChangeCounts } from '#lib/archive/editions/join-editions.ts'
import type { StepProgress } from '#lib/contract/answers/status.ts'
import { hashFile } from '#lib/sync/disk.ts'
import type { KeptEdition, Log } from '#lib/sync/sync.ts'
import type { KeptEditions } from './kept-editions.ts'

type EditionChecks = {
  verify(): void
  compare(): void
  progress(): StepProgress | null
  settled(): Promise<void>
  close(): Promise<void>
}

type EditionChecksOptions = {
  content: KeptEditions
  compare: ComparePair
  log: Log
}

export type Pair = { before: KeptEdition; after: KeptEdition }

export type ComparePair = (
  pair: Pair,
  options: { signal: AbortSignal; onProgress: (step: StepProgress) => void },
) => Promise<ChangeCounts>

export function createEditionChecks(options: EditionChecksOptions): EditionChecks {
  const { content, compare, log } = options
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
        if (!signal.aborted) log('editions could not be maintained', { reason })
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
      const counts = await compare(pair, {
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

function selectPair(content: KeptEditions, tried: ReadonlySet<string>): Pair | null {
  for (const after of [content.current(), content.heldBack()]) {
    const before = after && content.before(after)
    if (!after || !before || after.changes !== null) continue
    if (isComparable({ before, after }) && !tried.has(toKey({ before, after })))
      return { before, after }
  }
  return null
}

const toKey = ({ before, after }: Pair) => `${before.sha256} ${after.sha256}`

/** Repeats: two names may share the same bytes. */
async function dropCorrupt(content: KeptEditions, log: Log, signal: AbortSignal): Promise<void> {
  for (;;) {
    const current = content.current()
    if (!current || (await hashFile(current.path, signal)) === current.sha256) return
    log('an edition no longer matches its checksum', { file: current.fileName })
    await content.forget(current, { remove: true })
  }
}

const COMPARED_ROWS_MAX = 10_000_000

export const isComparable = ({ before, after }: Pair): boolean =>
  Math.max(before.rows, after.rows) <= COMPARED_ROWS_MAX
