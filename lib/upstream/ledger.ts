import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '#lib/contract/faults.ts'
import { nextMonthAt, parseLine, type Spent, toLine, toMonth } from './ledger-lines.ts'
import type { Budget } from './upstream.ts'

/** The limits of a key; null is none. */
export type RequestLimits = { perMinute: number | null; perMonth: number | null }

/** Requests spent on a service, kept in a file: it knows them after a restart and after a power cut. */
export type Ledger = {
  /**
   * Spends one request, on disk before it resolves. Throws AppError `budget_spent` with retryAfterSeconds where a
   * limit would be passed, `internal` where the file cannot be written. Callers at once never share a slot.
   */
  charge(limits: RequestLimits): Promise<void>
  budget(limits: RequestLimits): Budget
  close(): Promise<void>
}

/** `now` in seconds since 1970. */
export type LedgerDeps = { file: string; now: () => number; compactAfterLines?: number }

// Clocks that count whole seconds may see 60 s where 59.001 went by.
const MINUTE_SECONDS = 61

/**
 * Opens the ledger, or begins one. A month's count is the largest ordinal that a sound line of it holds, so a damaged
 * line takes at most itself away. A clock that goes back finds no fresh budget: what later months spent counts for
 * the earlier ones too, and what lies in the future is of the last minute.
 */
export async function openLedger(deps: LedgerDeps): Promise<Ledger> {
  const { file, now, compactAfterLines = 10_000 } = deps
  await mkdir(dirname(file), { recursive: true })
  const book = createBook(await loadLines(file), now)
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
  const inTurn = (work: () => Promise<void>) => {
    const turn = queue.then(work)
    queue = turn.catch(() => {})
    return turn
  }
  return {
    async charge(limits) {
      const spent = book.spend(limits)
      try {
        await inTurn(() => append(spent))
      } catch (cause) {
        book.takeBack(spent)
        throw new AppError('internal', 'The ledger of requests cannot be written.', { cause })
      }
    },
    budget: (limits) => book.budget(limits),
    close: () => inTurn(() => handle.close()),
  }
}

/** The counting, in memory: nothing in it waits, so nobody comes between looking and spending. */
function createBook(loaded: Spent[], now: () => number) {
  const spentIn = new Map<string, number>()
  for (const { month, ordinal } of loaded) {
    spentIn.set(month, Math.max(spentIn.get(month) ?? 0, ordinal))
  }
  let recent = loaded.flatMap(({ at }) => (at > 0 ? at : [])).sort((a, b) => a - b)

  const minuteCount = () => {
    const at = now()
    recent = recent.map((one) => Math.min(one, at)).filter((one) => at - one < MINUTE_SECONDS)
    return recent.length
  }
  const monthCount = () => {
    const month = toMonth(now())
    return [...spentIn].reduce((sum, [one, count]) => (one >= month ? sum + count : sum), 0)
  }
  const waitSeconds = ({ perMinute, perMonth }: RequestLimits) => {
    const used = minuteCount()
    const isMonthSpent = perMonth !== null && monthCount() >= perMonth
    if (isMonthSpent) return { seconds: nextMonthAt(now()) - now(), limit: 'month' }
    if (perMinute === null || used < perMinute) return null
    const oldest = recent[used - perMinute] ?? now()
    return { seconds: oldest + MINUTE_SECONDS - now(), limit: 'minute' }
  }
  return {
    spend(limits: RequestLimits): Spent {
      const wait = waitSeconds(limits)
      if (wait) {
        throw new AppError('budget_spent', `The requests of this ${wait.limit} are spent.`, {
          retryAfterSeconds: Math.max(1, Math.ceil(wait.seconds)),
        })
      }
      const at = now()
      const month = toMonth(at)
      const ordinal = (spentIn.get(month) ?? 0) + 1
      spentIn.set(month, ordinal)
      recent.push(at)
      return { at, month, ordinal }
    },
    takeBack({ at, month }: Spent) {
      spentIn.set(month, Math.max(0, (spentIn.get(month) ?? 0) - 1))
      const index = recent.indexOf(at)
      if (index >= 0) recent.splice(index, 1)
    },
    budget: ({ perMinute, perMonth }: RequestLimits): Budget => ({
      minute: { limit: perMinute, used: minuteCount() },
      month: { limit: perMonth, used: monthCount() },
    }),
    /** The least that counts the same: every month's last, twice against damage, and the last minute's. */
    toKeep(): Spent[] {
      minuteCount()
      const months = [...spentIn].map(([month, ordinal]) => ({ at: 0, month, ordinal }))
      return [...months, ...recent.map((at) => ({ at, month: toMonth(at), ordinal: 0 })), ...months]
    },
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

/** Writes the file anew beside the old one and swaps them, so that a crash leaves one of the two whole. */
async function compact(file: string, kept: Spent[]): Promise<FileHandle> {
  const beside = `${file}.new`
  const handle = await open(beside, 'w', 0o600)
  try {
    await handle.writeFile(kept.map(toEntry).join(''))
    await handle.sync()
    await rename(beside, file)
    await syncFolder(dirname(file))
  } catch (error) {
    await handle.close()
    throw error
  }
  return handle
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
