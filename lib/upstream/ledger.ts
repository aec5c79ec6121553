import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { AppError } from '#lib/contract/faults.ts'
import type { Clocks } from './answer-headers.ts'
import { replaceFile } from './replace-file.ts'
import { type Budget, PURPOSES, type Purpose } from './upstream.ts'

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
  const book = createRequestCounter(await loadLines(file), { now, nowMs })
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

/** What a ledger's file says was spent: each month, and when (seconds since 1970) in the last minute before `now`. */
export type SpentSoFar = { months: ReadonlyMap<string, MonthCount>; lately: readonly number[] }

/** Reads a ledger's file without opening it; nothing was spent where there is none. */
export async function readSpent(file: string, now: number): Promise<SpentSoFar> {
  const lines = await loadLines(file)
  const isLate = (at: number) => at > 0 && (now - at) * 1000 < MINUTE_MS
  return { months: toMonths(lines), lately: lines.flatMap(({ at }) => (isLate(at) ? at : [])) }
}

/** A line with an end on both sides: where one is damaged, its neighbour is still a line. */
const toEntry = (spent: Spent) => `\n${toLedgerLine(spent)}\n`

async function loadLines(file: string): Promise<Spent[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').flatMap((line) => parseLedgerLine(line) ?? [])
}

const compact = (file: string, kept: Spent[]) => replaceFile(file, kept.map(toEntry).join(''))

/** Clocks that count whole seconds may see 60 s where 59.001 went by. */
export const MINUTE_MS = 61_000

export type LedgerBudget = Pick<Budget, 'minute' | 'month' | 'spent' | 'reserved'>

/** Requests of a month, in all and by purpose. */
export type MonthCount = { all: number } & Record<Purpose, number>

type Clock = {
  /** Seconds since 1970, by a clock that may be set: it tells how old a line of the file is. */
  now: () => number
  /** Milliseconds by a clock that never jumps: it tells when a minute is over. */
  nowMs: () => number
}

/**
 * The counting, in memory: nothing in it waits, so nobody comes between looking and spending. `loaded`: what a ledger's
 * file said. A line of the future is of this second.
 */
function createRequestCounter(loaded: Spent[], { now, nowMs }: Clock) {
  const months = toMonths(loaded)
  const toMs = (at: number) => nowMs() - Math.max(0, now() - at) * 1000
  let recent = loaded
    .flatMap(({ at }) => (at > 0 ? { at, ms: toMs(at) } : []))
    .sort((a, b) => a.ms - b.ms)

  const minuteCount = () => {
    const ms = nowMs()
    recent = recent.filter((one) => ms - one.ms < MINUTE_MS)
    return recent.length
  }
  return {
    spend(limits: RequestLimits, purpose: Purpose, clocks: Clocks): Spent {
      const used = minuteCount()
      const nth = toMinuteShare(purpose, limits.perMinute ?? 0)
      refuseSpent(limits, purpose, {
        month: countFrom(months, clocks),
        at: clocks.earliest,
        minute: { used, ageMs: nowMs() - (recent[used - nth]?.ms ?? nowMs()) },
      })
      const at = now()
      const month = toMonth(clocks.latest)
      const count = countOf(months, month)
      count.all += 1
      count[purpose] += 1
      recent.push({ at, ms: nowMs() })
      return { at, month, ordinal: count.all, purpose, nth: count[purpose] }
    },
    takeBack({ at, month, purpose }: Spent) {
      const count = countOf(months, month)
      count.all = Math.max(0, count.all - 1)
      if (purpose !== null) count[purpose] = Math.max(0, count[purpose] - 1)
      const index = recent.findIndex((one) => one.at === at)
      if (index >= 0) recent.splice(index, 1)
    },
    budget: (limits: RequestLimits, clocks: Clocks): LedgerBudget =>
      toLedgerBudget(limits, {
        month: countFrom(months, clocks),
        at: clocks.earliest,
        used: minuteCount(),
      }),
    /** The least that counts the same: every month's last of each purpose, twice against damage, and the last minute's. */
    toKeep(): Spent[] {
      minuteCount()
      const counted = [...months].flatMap(toLasts)
      const lately = recent.map(({ at }) => {
        return { at, month: toMonth(at), ordinal: 0, purpose: null, nth: 0 }
      })
      return [...counted, ...lately, ...counted]
    },
  }
}

function toMonths(loaded: Spent[]): Map<string, MonthCount> {
  const months = new Map<string, MonthCount>()
  for (const { month, ordinal, purpose, nth } of loaded) {
    const count = countOf(months, month)
    count.all = Math.max(count.all, ordinal)
    if (purpose !== null) count[purpose] = Math.max(count[purpose], nth)
  }
  return months
}

/** The count of a month, which is put in where it is missing. */
export function countOf(months: Map<string, MonthCount>, month: string): MonthCount {
  const count = months.get(month) ?? { all: 0, dump: 0, follow: 0, people: 0 }
  months.set(month, count)
  return count
}

/** What was spent in the month of the earliest clock, and in any that is later by some clock. */
export function countFrom(
  months: ReadonlyMap<string, MonthCount>,
  { earliest }: Pick<Clocks, 'earliest'>,
): MonthCount {
  const month = toMonth(earliest)
  const counts = [...months].flatMap(([one, count]) => (one >= month ? count : []))
  const sum = (name: 'all' | Purpose) => counts.reduce((total, count) => total + count[name], 0)
  const [all, dump, people] = [sum('all'), sum('dump'), sum('people')]
  // A request whose line was damaged counts as a follow.
  return { all, dump, people, follow: Math.max(0, all - dump - people) }
}

/** What was spent when one more request is asked for, at an instant in seconds since 1970. */
export type SpentBefore = {
  month: MonthCount
  at: number
  /**
   * Requests of the last minute. `ageMs`: how long ago the {@link toMinuteShare}-th newest of them was, which has to be a
   * minute old before the next; it counts only where there are so many.
   */
  minute: { used: number; ageMs: number }
}

/** Throws AppError `budget_spent` where a purpose may not spend one more now. */
export function refuseSpent(limits: RequestLimits, purpose: Purpose, before: SpentBefore): void {
  const bar = selectBar(limits, purpose, before)
  if (!bar) return
  const retryAfterSeconds = Math.max(1, Math.ceil(bar.seconds))
  throw new AppError('budget_spent', bar.why, { retryAfterSeconds })
}

function selectBar({ perMinute, perMonth }: RequestLimits, purpose: Purpose, before: SpentBefore) {
  const { at, minute } = before
  const { all: used, people } = before.month
  const month =
    perMonth === null ? null : selectMonthBar(purpose, { limit: perMonth, used, people, at })
  if (month || perMinute === null) return month
  if (minute.used < toMinuteShare(purpose, perMinute)) return null
  const seconds = (MINUTE_MS - minute.ageMs) / 1000
  return { seconds, why: 'The requests of this minute are spent.' }
}

/** The counts against the limits. `at`: seconds since 1970; `used`: requests of the last minute. */
export function toLedgerBudget(
  { perMinute, perMonth }: RequestLimits,
  { month, at, used }: { month: MonthCount; at: number; used: number },
): LedgerBudget {
  const { all, ...spent } = month
  return {
    minute: { limit: perMinute, used },
    month: { limit: perMonth, used: all },
    spent,
    reserved: selectReserved(perMonth, at),
  }
}

/** The last line of a month for each purpose. */
function toLasts([month, count]: [string, MonthCount]): Spent[] {
  return PURPOSES.flatMap((purpose) =>
    count[purpose] > 0 ? { at: 0, month, ordinal: count.all, purpose, nth: count[purpose] } : [],
  )
}

/** The limits of a key; null is none. */
export type RequestLimits = { perMinute: number | null; perMonth: number | null }

const WEEK_SECONDS = 7 * 86_400
const DUMPS_PER_WEEK = 2
/** What people may spend of a month, as a part of it; one request at the least. */
const PEOPLE_OF_MONTH = 10
/** What people leave of a minute, as a part of it. */
const LEFT_OF_MINUTE = 4

/** Requests kept back for the dumps of so many seconds to come: two a week, never more than half of all. */
export const toReserve = (limit: number, secondsToCome: number): number =>
  Math.min(Math.ceil(secondsToCome / WEEK_SECONDS) * DUMPS_PER_WEEK, Math.floor(limit / 2))

/** Requests kept back for the dumps of what is left of the month at `at` (seconds since 1970). Without a limit none. */
export const selectReserved = (limit: number | null, at: number): number =>
  limit === null ? 0 : toReserve(limit, nextMonthAt(at) - at)

/** Of a month with a limit: requests spent in all and by people, at an instant in seconds since 1970. */
export type MonthSpent = { limit: number; used: number; people: number; at: number }

/**
 * Why a purpose may spend no more of a month, and how many seconds that holds; null where it may. A dump may take all
 * there is. A follow leaves what is kept back for dumps: less is, week by week. People leave that as well, and have a
 * tenth of the month to themselves and no more.
 */
export function selectMonthBar(
  purpose: Purpose,
  { limit, used, people, at }: MonthSpent,
): { seconds: number; why: string } | null {
  const left = limit - used
  const monthLeftSeconds = nextMonthAt(at) - at
  if (left < 1) {
    return { seconds: monthLeftSeconds, why: 'The requests of this month are spent.' }
  }
  if (purpose === 'dump') return null
  if (purpose === 'people' && people >= toPeoplesShare(limit)) {
    const why = 'What people may spend this month is spent: the rest is kept for the sync.'
    return { seconds: monthLeftSeconds, why }
  }
  if (left > toReserve(limit, monthLeftSeconds)) return null
  // So many weeks before the month ends, one more than what is kept back then is left.
  const weeks = Math.floor((left - 1) / DUMPS_PER_WEEK)
  const why = 'What is left of the requests of this month is kept for the weekly dumps.'
  return { seconds: monthLeftSeconds - weeks * WEEK_SECONDS, why }
}

/** Requests of a month that people may spend. */
export const toPeoplesShare = (limit: number): number =>
  Math.max(1, Math.floor(limit / PEOPLE_OF_MONTH))

/** Requests of a minute that a purpose may find spent and still spend one, plus one: people leave a quarter. */
export const toMinuteShare = (purpose: Purpose, limit: number): number =>
  purpose === 'people' ? limit - Math.floor(limit / LEFT_OF_MINUTE) : limit

/**
 * One request spent: when (seconds since 1970), its UTC month, which request of that month it was, what for, and which
 * one for that. A line without a purpose counts for its minute alone.
 */
type Spent = {
  at: number
  month: string
  ordinal: number
  purpose: Purpose | null
  nth: number
}

const LINE =
  /^((\d{1,12}) (\d{4}-\d{2}) (\d{1,9})(?: (dump|follow|people) (\d{1,9}))?) ([0-9a-f]{8})$/

/** The UTC month of an instant, `YYYY-MM`. Months compare as texts. */
export const toMonth = (at: number): string => new Date(at * 1000).toISOString().slice(0, 7)

/** The first second of the UTC month after the one of `at`. */
export function nextMonthAt(at: number): number {
  const date = new Date(at * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000
}

/** `1700000000 2023-11 7 dump 2 0a1b2c3d`: the fields, then their checksum. */
export function toLedgerLine({ at, month, ordinal, purpose, nth }: Spent): string {
  const spentFor = purpose === null ? '' : ` ${purpose} ${nth}`
  const text = `${Math.floor(at)} ${month} ${ordinal}${spentFor}`
  return `${text} ${checksum(text)}`
}

/** Null for a line that was cut or damaged. */
export function parseLedgerLine(line: string): Spent | null {
  const [, text = '', at, month = '', ordinal, name, nth = '0', sum] = LINE.exec(line) ?? []
  if (text === '' || checksum(text) !== sum) return null
  const purpose = PURPOSES.find((one) => one === name) ?? null
  return { at: Number(at), month, ordinal: Number(ordinal), purpose, nth: Number(nth) }
}

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0')
