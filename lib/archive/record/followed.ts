import type { Followed, FollowedMonth } from '#lib/contract/answers/prices.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { studentQuantile, toStudent } from '#lib/statistics/chance.ts'
import { findEntry, type Market, NONE, toBenchmark, toGain, toKnown } from './market.ts'
import { toDecimal } from './tallies.ts'

/** A month that has ended: `day` is its last, `consensus` that of the `active` ratings at its end. */
export type Month = { month: string; day: number; consensus: string; active: number }

/** What became of a price from a day on; null where that is not to be known by any price. */
export type Window = {
  day: number
  entry_day: number | null
  exit_day: number | null
  known_day: number | null
  gain: number | null
  benchmark: number | null
}

/** What became of a symbol's price from the first trading day after each of these days, and the symbol's first day. */
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
      exit_day: dayOf(exit),
      known_day: isKnown ? toKnown(market, horizon, entry, exit) : null,
      gain: isKnown ? toGain(market, entry, exit) : null,
      benchmark: isKnown ? toBenchmark(market, within, entry, exit) : null,
    }
  })
  return { windows, firstDay: dayOf(market.starts[symbol] ?? NONE) }
}

type Known = {
  windows: readonly Window[]
  firstDay: number | null
  /** The last day whose close is known. */
  knownDay: number
}

type Figures = Omit<Followed, 'symbol' | 'horizon' | 'prices'>

/** Each month with what followed it, and what can be said of all of them. */
export function toFollowed(months: readonly Month[], known: Known): Figures {
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
    const hasEntered = outcome === 'scored' || outcome === 'open'
    return {
      ...{ month: month.month, consensus: month.consensus, active: month.active, outcome },
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
  day === null ? null : toDateText(day * 86_400).slice(0, 10)

/** The first that applies, as for calls. */
function toOutcome(window: Window | null, known: Known): FollowedMonth['outcome'] {
  const isKnown = (day: number | null | undefined) => day != null && day <= known.knownDay
  if (!isKnown(known.firstDay)) return 'no_price'
  if (!isKnown(window?.entry_day)) return 'no_entry'
  return isKnown(window?.known_day) ? 'scored' : 'open'
}

type Scored = { consensus: number; excess: number; entry: number; exit: number }

/** Fewer windows give no interval. */
const WINDOWS_MIN = 5

/**
 * Months whose windows overlap saw the same prices: they count as often as windows that do not. The spread is that of all months, which
 * is the better known for it; what it is divided by, and Student's degrees of freedom, are of the windows.
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
  // A consensus that never moved says nothing of what comes with more of it.
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

/** How many windows there are of which none has a day in common with another: taken in order of time, each as early as can be. */
function countWindows(scored: readonly Scored[]): number {
  let [count, end] = [0, Number.NEGATIVE_INFINITY]
  for (const { entry, exit } of scored) {
    if (entry <= end) continue
    count += 1
    end = exit
  }
  return count
}
