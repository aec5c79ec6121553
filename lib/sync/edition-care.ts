import type { StepProgress } from '#lib/contract/answers/progress.ts'
import { COMPARED_ROWS_MAX, compareEditions } from './compare-editions.ts'
import { hashFile } from './hash-file.ts'
import type { ShelfContent } from './shelf-content.ts'
import type { KeptEdition, Log } from './sync.ts'

/** What is done about editions in the background, while they are served already. */
export type EditionCare = {
  /** Reads the current edition again, which lay on disk while nobody looked, and drops it where its bytes have changed. */
  verify(): void
  /** Works out what is not known yet of what changed from one edition to the next. */
  compare(): void
  progress(): StepProgress | null
  /** Resolves when nothing is left to do. */
  settled(): Promise<void>
  /** Breaks off what runs, and waits for it. */
  close(): Promise<void>
}

export function createEditionCare(content: ShelfContent, log: Log): EditionCare {
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
        if (!signal.aborted) log('editions could not be looked after', { reason })
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
      const counts = await compareEditions({
        ...pair,
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
    verify: () => later(async () => await dropRotten(content, log, signal)),
    compare: () => later(compareAll),
    progress: () => progress,
    settled: async () => await last,
    async close() {
      closing.abort()
      await last
    },
  }
}

type Pair = { before: KeptEdition; after: KeptEdition }

/** The newest two, and the one aside with the current one: whichever has not been compared. */
function selectPair(content: ShelfContent, tried: ReadonlySet<string>): Pair | null {
  for (const after of [content.current(), content.heldBack()]) {
    const before = after && content.before(after)
    if (!after || !before || after.changes !== null) continue
    const isSmall = Math.max(before.rows, after.rows) <= COMPARED_ROWS_MAX
    if (isSmall && !tried.has(toKey({ before, after }))) return { before, after }
  }
  return null
}

const toKey = ({ before, after }: Pair) => `${before.sha256} ${after.sha256}`

/** Until the current one is sound: two names may share the same bytes. */
async function dropRotten(content: ShelfContent, log: Log, signal: AbortSignal): Promise<void> {
  for (;;) {
    const current = content.current()
    if (!current || (await hashFile(current.path, signal)) === current.sha256) return
    log('an edition does not hold the bytes any more that came', { file: current.fileName })
    await content.forget(current, { remove: true })
  }
}
