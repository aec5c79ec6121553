import { join } from 'node:path'
import { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { EditionPair, KeptDifference, Log } from '#lib/sync/sync.ts'
import { countEditionChanges } from './compare-editions.ts'
import { type ComparePair, isComparable, type Pair } from './edition-checks.ts'
import type { EditionFolder } from './edition-folder.ts'
import { createKeptDifferences, type SelectMarked, toCounts } from './kept-differences.ts'
import type { KeptEditions } from './kept-editions.ts'

type EditionDifferences = {
  compare: ComparePair
  ask(asked: EditionPair): Promise<KeptDifference | null>
  tidy(): void
  settled(): Promise<void>
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

const notKept = () => new AppError('not_found', 'No posts dump of that Sunday is stored.')

/** Null if there is no edition to compare with. Throws AppError `not_found`. */
function selectAsked(content: KeptEditions, { from, to }: EditionPair): Pair | null {
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
