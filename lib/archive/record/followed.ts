import type { Followed, FollowedMonth } from '#lib/contract/answers/prices.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { studentQuantile, toStudent } from '#lib/statistics/chance.ts'
import { DAY_SECONDS } from '#lib/timeline/buckets.ts'
import {
  findEntry,
  isAcrossJump,
  type Market,
  NONE,
  toBenchmark,
  toGain,
  toKnown,
  toUsable,
} from './market.ts'
import { toDecimal } from './tallies.ts'

export type Month = { month: string; day: number; consensus: string; active: number }

/** Null: not knowable from any price. */
export type Window = {
  day: number
  entry_day: number | null
  /** From when the entry is known. */
  entered_day: number | null
  exit_day: number | null
  known_day: number | null
  gain: number | null
  benchmark: number | null
  hasJumped: boolean
}

export function toWindows(
  market: Market,
  { key, days, horizon }: { key: string; days: readonly number[]; horizon: Horizon },
): { windows: Window[]; firstDay: number | null } {
  const symbol = market.symbols.indexOf(key)
  const within = market.windows.get(horizon)
  if (symbol === NONE || !within) return { windows: [], firstDay: null }
  const dayOf = (row: number) => (row === NONE ? null : (market.days[row] ?? null))
  const windows = days.map((day): Window => {
    const entry = findEntry(market, symbol, day)
    const exit = entry === NONE ? NONE : (within.exits[entry] ?? NONE)
    const isKnown = exit !== NONE
    return {
      day,
      entry_day: dayOf(entry),
      entered_day: entry === NONE ? null : toUsable(market, entry),
      exit_day: dayOf(exit),
      known_day: isKnown ? toKnown(market, within, entry, exit) : null,
      gain: isKnown ? toGain(market, entry, exit) : null,
      benchmark: isKnown ? toBenchmark(market, within, entry, exit) : null,
      hasJumped: isKnown && isAcrossJump(market, entry, exit),
    }
  })
  return { windows, firstDay: dayOf(market.starts[symbol] ?? NONE) }
}

type MeasuredWindows = {
  windows: readonly Window[]
  firstDay: number | null
  knownDay: number
}

type Figures = Omit<Followed, 'symbol' | 'horizon' | 'prices'>

export function toFollowed(months: readonly Month[], known: MeasuredWindows): Figures {
  const byDay = new Map(known.windows.map((window) => [window.day, window]))
  const scored: Scored[] = []
  const listed = months.map((month): FollowedMonth => {
    const window = byDay.get(month.day) ?? null
    const outcome = toOutcome(window, known)
    const { gain, benchmark, entry_day: entry, exit_day: exit } = window ?? NO_WINDOW
    const isScored = outcome === 'scored' && gain !== null && benchmark !== null
    const excess = isScored ? gain - benchmark : null
    if (excess !== null && entry !== null && exit !== null) {
      scored.push({ consensus: Number(month.consensus), excess, entry, exit })
    }
    const hasEntered = outcome === 'scored' || outcome === 'open' || outcome === 'jump'
    return {
      month: month.month,
      consensus: month.consensus,
      active: month.active,
      outcome,
      entry_date: hasEntered ? toDayText(entry) : null,
      exit_date: isScored ? toDayText(exit) : null,
      return: isScored ? toDecimal(gain) : null,
      benchmark: isScored ? toDecimal(benchmark) : null,
      excess: toDecimal(excess),
    }
  })
  return { months: listed, scored: scored.length, ...toFigures(scored) }
}

const NO_WINDOW = { gain: null, benchmark: null, entry_day: null, exit_day: null }

const toDayText = (day: number | null) =>
  day === null ? null : toDateText(day * DAY_SECONDS).slice(0, 10)

function toOutcome(window: Window | null, known: MeasuredWindows): FollowedMonth['outcome'] {
  const isKnown = (day: number | null | undefined) => day != null && day <= known.knownDay
  if (!isKnown(known.firstDay)) return 'no_price'
  if (!isKnown(window?.entered_day)) return 'no_entry'
  if (!isKnown(window?.known_day)) return 'open'
  return window?.hasJumped ? 'jump' : 'scored'
}

type Scored = { consensus: number; excess: number; entry: number; exit: number }

const WINDOWS_MIN = 5

/**
 * Overlapping windows share prices: standard error and degrees of freedom use disjoint windows.
 */
function toFigures(scored: readonly Scored[]) {
  const n = scored.length
  const windows = countWindows(scored)
  const meanOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / n
  const mean = n === 0 ? null : meanOf(scored.map(({ excess }) => excess))
  const middle = n === 0 ? 0 : meanOf(scored.map(({ consensus }) => consensus))
  const sum = (of: (x: number, y: number) => number) =>
    scored.reduce((all, one) => all + of(one.consensus - middle, one.excess - (mean ?? 0)), 0)
  const [xx, xy, yy] = [sum((x) => x * x), sum((x, y) => x * y), sum((_, y) => y * y)]
  const variance = n > 1 ? yy / (n - 1) : 0
  const spread =
    mean === null
      ? null
      : toStudent({ n: windows, mean, squares: variance * (windows - 1) }, WINDOWS_MIN)
  // A constant consensus has no slope.
  const slope = n > 2 && xx > 1e-9 ? xy / xx : null
  const reach =
    slope === null || windows < WINDOWS_MIN
      ? null
      : studentQuantile(0.975, windows - 2) *
        Math.sqrt((Math.max(0, yy - slope * xy) / (n - 2) / xx) * (n / windows))
  return {
    windows,
    mean: toDecimal(mean),
    mean_low: toDecimal(spread?.low),
    mean_high: toDecimal(spread?.high),
    slope: toDecimal(slope),
    slope_low: toDecimal(slope === null || reach === null ? null : slope - reach),
    slope_high: toDecimal(slope === null || reach === null ? null : slope + reach),
  }
}

function countWindows(scored: readonly Scored[]): number {
  let [count, end] = [0, Number.NEGATIVE_INFINITY]
  for (const { entry, exit } of scored) {
    if (entry <= end) continue
    count += 1
    end = exit
  }
  return count
}
