import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '#lib/contract/faults.ts'
import { createBook, type LedgerBudget } from './ledger-book.ts'
import { parseLine, type Spent, toLine } from './ledger-lines.ts'
import { replaceFile } from './replace-file.ts'
import type { RequestLimits } from './reserve.ts'
import type { Clocks } from './service-clock.ts'
import type { Purpose } from './upstream.ts'

/** Requests spent on a service, kept in a file: it knows them after a restart and after a power cut. */
export type Ledger = {
  /**
   * Spends one request, on disk before it resolves. Throws AppError `budget_spent` with retryAfterSeconds where a
   * limit would be passed, or what is kept for a purpose that comes first would be touched; `internal` where the file
   * cannot be written. Callers at once never share a slot. `clocks`: what time it may be, where more than one is known.
   */
  charge(limits: RequestLimits, purpose: Purpose, clocks?: Clocks): Promise<void>
  budget(limits: RequestLimits, clocks?: Clocks): LedgerBudget
  close(): Promise<void>
}

/** `now` in seconds since 1970; `nowMs` by a clock that never jumps, where there is one. */
export type LedgerDeps = {
  file: string
  now: () => number
  nowMs?: () => number
  compactAfterLines?: number
}

/**
 * Opens the ledger, or begins one. A month's count is the largest ordinal that a sound line of it holds, so a damaged
 * line takes at most itself away. A clock that goes back finds no fresh budget: what later months spent counts for
 * the earlier ones too, and what lies in the future is of the last minute. Where two clocks differ, a request is counted
 * into the later month and the budget asked of the earlier one, so that neither sees a limit passed.
 */
export async function openLedger(deps: LedgerDeps): Promise<Ledger> {
  const { file, now, nowMs = () => now() * 1000, compactAfterLines = 10_000 } = deps
  await mkdir(dirname(file), { recursive: true })
  const book = createBook(await loadLines(file), { now, nowMs })
  let handle = await compact(file, book.toKeep())
  let lines = 0
  let queue: Promise<void> = Promise.resolve()

  const append = async (spent: Spent) => {
    if (lines >= compactAfterLines) {
      const fresh = await compact(file, book.toKeep())
      await handle.close().catch(() => {})
      handle = fresh
    }
    // Until it is written: a write that fails may leave half a line, so the next one begins a new file.
    const before = lines >= compactAfterLines ? 0 : lines
    lines = compactAfterLines
    await handle.appendFile(toEntry(spent))
    await handle.datasync()
    lines = before + 1
  }
  const alone = () => ({ earliest: now(), latest: now() })
  const inTurn = (work: () => Promise<void>) => {
    const turn = queue.then(work)
    queue = turn.catch(() => {})
    return turn
  }
  return {
    async charge(limits, purpose, clocks = alone()) {
      const spent = book.spend(limits, purpose, clocks)
      try {
        await inTurn(() => append(spent))
      } catch (cause) {
        book.takeBack(spent)
        throw new AppError('internal', 'The ledger of requests cannot be written.', { cause })
      }
    },
    budget: (limits, clocks = alone()) => book.budget(limits, clocks),
    close: () => inTurn(() => handle.close()),
  }
}

/** A line with an end on both sides: where one is damaged, its neighbour is still a line. */
const toEntry = (spent: Spent) => `\n${toLine(spent)}\n`

async function loadLines(file: string): Promise<Spent[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').flatMap((line) => parseLine(line) ?? [])
}

const compact = (file: string, kept: Spent[]) => replaceFile(file, kept.map(toEntry).join(''))
