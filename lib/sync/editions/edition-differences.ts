import { join } from 'node:path'
import { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { AskedDifference, KeptDifference, Log } from '#lib/sync/sync.ts'
import { countEditionChanges } from './compare-editions.ts'
import { type ComparePair, isComparable, type Pair } from './edition-checks.ts'
import type { EditionFolder } from './edition-folder.ts'
import { createKeptDifferences, type SelectMarked, toCounts } from './kept-differences.ts'
import type { KeptEditions } from './kept-editions.ts'

/** What editions of one kind differ by: rows of the posts, counts alone of the look-ups. */
export type EditionDifferences = {
  /** What is told beside an edition; of the posts, the counts of the difference that is kept. */
  compare: ComparePair
  /** See `Editions.difference`. */
  ask(asked: AskedDifference): Promise<KeptDifference | null>
  /** Takes away, in the background, what belongs to editions that are gone. */
  tidy(): void
  /** Resolves when nothing is made or taken away. */
  settled(): Promise<void>
  /** Breaks off what is asked for, and waits. */
  close(): Promise<void>
}

type Options = {
  kind: DumpKind
  folder: EditionFolder
  content: KeptEditions
  log: Log
  selectMarked: SelectMarked
}

export function createEditionDifferences(options: Options): EditionDifferences {
  const { kind, folder, content, log } = options
  const { dir, disk } = folder
  const kept = createKeptDifferences({ ...options, dir, disk, editions: content.all })
  const closing = new AbortController()
  const compareRows: ComparePair = async ({ before, after }, how) =>
    toCounts((await kept.make(before, after, how)).kinds)
  const countRows: ComparePair = async (pair, how) =>
    await countEditionChanges({ ...pair, ...how, spillPath: join(dir, `${kind}.comparing`) })
  return {
    compare: kind === 'posts' ? compareRows : countRows,
    async ask(asked) {
      const pair = selectAsked(content, asked)
      if (!pair) return null
      for (const one of [pair.before, pair.after]) if (!(await folder.holds(one))) throw notKept()
      if (!isComparable(pair)) throw new AppError('not_found', TOO_LARGE)
      return await kept.make(pair.before, pair.after, { signal: closing.signal })
    },
    tidy() {
      if (kind !== 'posts') return
      void kept.tidy().catch(() => log('an old difference cannot be removed'))
    },
    settled: kept.settled,
    async close() {
      closing.abort()
      await kept.settled()
    },
  }
}

const TOO_LARGE = 'Editions of more than ten million rows are not compared.'

const notKept = () => new AppError('not_found', 'A posts dump of that Sunday is not kept here.')

/** Two that are named, or the newest that are served. null where nothing stands before or behind. Throws `not_found`. */
function selectAsked(content: KeptEditions, { from, to }: AskedDifference): Pair | null {
  const all = content.all()
  const served = all.filter(({ reason }) => reason === null)
  const named = (edition: string) => {
    const found = all.find((one) => one.edition === edition)
    if (!found) throw notKept()
    return found
  }
  const after = to === null ? served[0] : named(to)
  const before =
    from === null
      ? served.find((one) => after !== undefined && one.edition < after.edition)
      : named(from)
  return before && after && before.edition < after.edition ? { before, after } : null
}
