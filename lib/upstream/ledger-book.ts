import { AppError } from '#lib/contract/faults.ts'
import { type Spent, toMonth } from './ledger-lines.ts'
import { type RequestLimits, selectMonthBar, selectReserved, toMinuteShare } from './reserve.ts'
import type { Clocks } from './service-clock.ts'
import { type Budget, PURPOSES, type Purpose } from './upstream.ts'

// Clocks that count whole seconds may see 60 s where 59.001 went by.
const MINUTE_MS = 61_000

export type LedgerBudget = Pick<Budget, 'minute' | 'month' | 'spent' | 'reserved'>

type MonthCount = { all: number } & Record<Purpose, number>

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
export function createBook(loaded: Spent[], { now, nowMs }: Clock) {
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
  /** What was spent in a month and in any that is later by some clock. */
  const countFrom = ({ earliest }: Clocks): MonthCount => {
    const month = toMonth(earliest)
    const counts = [...months].flatMap(([one, count]) => (one >= month ? count : []))
    const sum = (name: 'all' | Purpose) => counts.reduce((total, count) => total + count[name], 0)
    const [all, dump, people] = [sum('all'), sum('dump'), sum('people')]
    // Lines of before purposes say none, and nearly all of them were follows.
    return { all, dump, people, follow: Math.max(0, all - dump - people) }
  }
  const selectBar = ({ perMinute, perMonth }: RequestLimits, purpose: Purpose, clocks: Clocks) => {
    const used = minuteCount()
    const { all, people } = countFrom(clocks)
    const month =
      perMonth === null
        ? null
        : selectMonthBar(purpose, { limit: perMonth, used: all, people, at: clocks.earliest })
    if (month || perMinute === null) return month
    const share = toMinuteShare(purpose, perMinute)
    if (used < share) return null
    const waitMs = (recent[used - share]?.ms ?? nowMs()) + MINUTE_MS - nowMs()
    return { seconds: waitMs / 1000, why: 'The requests of this minute are spent.' }
  }
  return {
    spend(limits: RequestLimits, purpose: Purpose, clocks: Clocks): Spent {
      const bar = selectBar(limits, purpose, clocks)
      if (bar) {
        const retryAfterSeconds = Math.max(1, Math.ceil(bar.seconds))
        throw new AppError('budget_spent', bar.why, { retryAfterSeconds })
      }
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
    budget({ perMinute, perMonth }: RequestLimits, clocks: Clocks): LedgerBudget {
      const { all, ...spent } = countFrom(clocks)
      return {
        minute: { limit: perMinute, used: minuteCount() },
        month: { limit: perMonth, used: all },
        spent,
        reserved: selectReserved(perMonth, clocks.earliest),
      }
    },
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

function countOf(months: Map<string, MonthCount>, month: string): MonthCount {
  const count = months.get(month) ?? { all: 0, dump: 0, follow: 0, people: 0 }
  months.set(month, count)
  return count
}

/** The last line of a month for each purpose. */
function toLasts([month, count]: [string, MonthCount]): Spent[] {
  const last = { at: 0, month, ordinal: count.all }
  const lasts = PURPOSES.flatMap((purpose) =>
    count[purpose] > 0 ? { ...last, purpose, nth: count[purpose] } : [],
  )
  return lasts.length > 0 ? lasts : [{ ...last, purpose: null, nth: 0 }]
}
