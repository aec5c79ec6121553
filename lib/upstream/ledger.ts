import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { AppError } from '#lib/contract/faults.ts'
import type { Clocks } from './answer-headers.ts'
import { replaceFile } from './replace-file.ts'
import { type Budget, PURPOSES, type Purpose } from './upstream.ts'

export type Ledger = {
  /**
   * On disk before it resolves. Throws AppError `budget_spent` or `internal`. `clocks`: range of
   * the current time.
   */
  charge(limits: RequestLimits, purpose: Purpose, clocks?: Clocks): Promise<void>
  budget(limits: RequestLimits, clocks?: Clocks): LedgerBudget
  close(): Promise<void>
}

/** `now`: Unix seconds. `nowMs`: monotonic. */
export type LedgerDeps = {
  file: string
  now: () => number
  nowMs?: () => number
  compactAfterLines?: number
}

/**
 * Each line holds its ordinal, so a damaged one costs only itself. Setting the clock back grants no
 * new budget. If clocks differ, a request counts in the later month and is checked against the
 * earlier one.
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
    // A failed write may leave half a line: the next one starts a new file.
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

/** `lately`: Unix seconds in the last minute. */
export type SpentSoFar = { months: ReadonlyMap<string, MonthCount>; lately: readonly number[] }

export async function readSpent(file: string, now: number): Promise<SpentSoFar> {
  const lines = await loadLines(file)
  const isLate = (at: number) => at > 0 && (now - at) * 1000 < MINUTE_MS
  return { months: toMonths(lines), lately: lines.flatMap(({ at }) => (isLate(at) ? at : [])) }
}

/** Newlines on both sides protect the neighbors. */
const toEntry = (spent: Spent) => `\n${toLedgerLine(spent)}\n`

async function loadLines(file: string): Promise<Spent[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').flatMap((line) => parseLedgerLine(line) ?? [])
}

const compact = (file: string, kept: Spent[]) => replaceFile(file, kept.map(toEntry).join(''))

/** Whole-second clocks may see 60 s after 59.001. */
export const MINUTE_MS = 61_000

type LedgerBudget = Pick<Budget, 'minute' | 'month' | 'spent' | 'reserved'>

export type MonthCount = { all: number } & Record<Purpose, number>

type Clock = {
  now: () => number
  nowMs: () => number
}

/** Synchronous, so that calls cannot interleave. */
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

export function countOf(months: Map<string, MonthCount>, month: string): MonthCount {
  const count = months.get(month) ?? { all: 0, dump: 0, follow: 0, people: 0 }
  months.set(month, count)
  return count
}

export function countFrom(
  months: ReadonlyMap<string, MonthCount>,
  { earliest }: Pick<Clocks, 'earliest'>,
): MonthCount {
  const month = toMonth(earliest)
  const counts = [...months].flatMap(([one, count]) => (one >= month ? count : []))
  const sum = (name: 'all' | Purpose) => counts.reduce((total, count) => total + count[name], 0)
  const [all, dump, people] = [sum('all'), sum('dump'), sum('people')]
  return { all, dump, people, follow: Math.max(0, all - dump - people) }
}

type SpentBefore = {
  month: MonthCount
  at: number
  minute: { used: number; ageMs: number }
}

/** Throws AppError `budget_spent`. */
export function refuseSpent(limits: RequestLimits, purpose: Purpose, before: SpentBefore): void {
  const bar = selectBar(limits, purpose, before)
  if (!bar) return
  const retryAfterSeconds = Math.max(1, Math.ceil(bar.seconds))
  throw new AppError('budget_spent', bar.why, { retryAfterSeconds })
}

function selectBar({ perMinute, perMonth }: RequestLimits, purpose: Purpose, before: SpentBefore) {
  const { at, minute } = before
  const { all: used, people, dump: dumps } = before.month
  const month =
    perMonth === null ? null : selectMonthBar(purpose, { limit: perMonth, used, people, dumps, at })
  if (month || perMinute === null) return month
  if (minute.used < toMinuteShare(purpose, perMinute)) return null
  const seconds = (MINUTE_MS - minute.ageMs) / 1000
  return { seconds, why: 'This minute’s requests are used up.' }
}

/** `at`: Unix seconds. */
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

function toLasts([month, count]: [string, MonthCount]): Spent[] {
  return PURPOSES.flatMap((purpose) =>
    count[purpose] > 0 ? { at: 0, month, ordinal: count.all, purpose, nth: count[purpose] } : [],
  )
}

/** Null: unlimited. */
export type RequestLimits = { perMinute: number | null; perMonth: number | null }

const WEEK_SECONDS = 7 * 86_400
const DUMPS_PER_WEEK = 2
const DUMPS_PER_MONTH = 5 * DUMPS_PER_WEEK
const PEOPLE_OF_MONTH = 10
const LEFT_OF_MINUTE = 4

/** Two per week, at most half of the limit. */
export const toReserve = (limit: number, secondsToCome: number): number =>
  Math.min(Math.ceil(secondsToCome / WEEK_SECONDS) * DUMPS_PER_WEEK, Math.floor(limit / 2))

export const selectReserved = (limit: number | null, at: number): number =>
  limit === null ? 0 : toReserve(limit, nextMonthAt(at) - at)

/** `at`: Unix seconds. */
type MonthSpent = { limit: number; used: number; people: number; dumps: number; at: number }

/**
 * Null if allowed. Dumps may use half, follows leave the reserve for dumps, people may use a tenth.
 */
export function selectMonthBar(
  purpose: Purpose,
  { limit, used, people, dumps, at }: MonthSpent,
): { seconds: number; why: string } | null {
  const left = limit - used
  const monthLeftSeconds = nextMonthAt(at) - at
  if (left < 1) {
    return { seconds: monthLeftSeconds, why: 'This month’s requests are used up.' }
  }
  if (purpose === 'dump') {
    if (dumps < toDumpShare(limit)) return null
    const why = 'This month’s requests for dumps are used up. The rest is reserved for the pages.'
    return { seconds: monthLeftSeconds, why }
  }
  if (purpose === 'people' && people >= toPeoplesShare(limit)) {
    const why = 'This month’s requests for people are used up. The rest is reserved for the sync.'
    return { seconds: monthLeftSeconds, why }
  }
  if (left > toReserve(limit, monthLeftSeconds)) return null
  const weeks = Math.floor((left - 1) / DUMPS_PER_WEEK)
  const why = 'The remaining requests of this month are reserved for the weekly dumps.'
  return { seconds: monthLeftSeconds - weeks * WEEK_SECONDS, why }
}

/** A dump that fails all month must not use up the key. */
const toDumpShare = (limit: number): number =>
  Math.max(Math.floor(limit / 2), Math.min(limit, DUMPS_PER_MONTH))

export const toPeoplesShare = (limit: number): number =>
  Math.max(1, Math.floor(limit / PEOPLE_OF_MONTH))

export const toMinuteShare = (purpose: Purpose, limit: number): number =>
  purpose === 'people' ? limit - Math.floor(limit / LEFT_OF_MINUTE) : limit

/** A line without a purpose counts only for its minute. */
type Spent = {
  at: number
  month: string
  ordinal: number
  purpose: Purpose | null
  nth: number
}

const LINE =
  /^((\d{1,12}) (\d{4}-\d{2}) (\d{1,9})(?: (dump|follow|people) (\d{1,9}))?) ([0-9a-f]{8})$/

/** `YYYY-MM` in UTC. */
export const toMonth = (at: number): string => new Date(at * 1000).toISOString().slice(0, 7)

export function nextMonthAt(at: number): number {
  const date = new Date(at * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000
}

/** `1700000000 2023-11 7 dump 2 0a1b2c3d`: the fields and their checksum. */
export function toLedgerLine({ at, month, ordinal, purpose, nth }: Spent): string {
  const spentFor = purpose === null ? '' : ` ${purpose} ${nth}`
  const text = `${Math.floor(at)} ${month} ${ordinal}${spentFor}`
  return `${text} ${checksum(text)}`
}

/** Null if damaged. */
export function parseLedgerLine(line: string): Spent | null {
  const [, text = '', at, month = '', ordinal, name, nth = '0', sum] = LINE.exec(line) ?? []
  if (text === '' || checksum(text) !== sum) return null
  const purpose = PURPOSES.find((one) => one === name) ?? null
  return { at: Number(at), month, ordinal: Number(ordinal), purpose, nth: Number(nth) }
}

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0')
