import type { PriceLine } from './chart-data.ts'
import { PANE_HEIGHTS } from './chart-sizes.ts'
import { type PaneScale, toPaneScale, toY } from './scales.ts'

/** Where closes stand: values of the pane's scale are prices, or their logarithms. `ticks` are such values. */
export type PriceScale = {
  pane: PaneScale
  ticks: number[]
  toValue: (price: number) => number
  toPrice: (value: number) => number
}

const PADDING = { top: 28, bottom: 28 }
const MOST_TICKS = 5
const MANTISSAS = [1, 2, 2.5, 5, 10]

/** A scale from the lowest close to the highest, with room for marks beside either. */
export function toPriceScale({ closes, isLog }: PriceLine): PriceScale {
  const known = closes.filter((close) => close !== null)
  const [low, high] = known.length === 0 ? [1, 2] : [Math.min(...known), Math.max(...known)]
  // A price that (as good as) never moved stands in the middle.
  const [from, to] =
    high - low > low * LEAST_MOVE ? [low, high] : [isLog ? low / 1.1 : low * 0.9, high * 1.1]
  const toValue = isLog ? Math.log10 : (price: number) => price
  const toPrice = isLog
    ? (value: number) => Number((10 ** value).toPrecision(6))
    : (value: number) => value
  const prices = isLog && to / from > LOG_TICKS_FROM ? toLogTicks(from, to) : toTicks(from, to)
  const domain = [toValue(from), toValue(to)] as const
  const pane = toPaneScale({ height: PANE_HEIGHTS.consensus, domain, padding: PADDING })
  return { pane, ticks: prices.map(toValue), toValue, toPrice }
}

/** A share of the lowest close. Of less, a number has too few digits for its logarithms to differ. */
const LEAST_MOVE = 1e-9

/** From so many times the lowest on, even steps would lie on one another at the upper end. */
const LOG_TICKS_FROM = 5

function toTicks(from: number, to: number): number[] {
  const least = (to - from) / MOST_TICKS
  const power = 10 ** Math.floor(Math.log10(least))
  const step = (MANTISSAS.find((mantissa) => mantissa * power >= least) ?? 10) * power
  const first = Math.ceil(from / step)
  const count = Math.floor(to / step) - first + 1
  return Array.from({ length: count }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

/** Ones, twos and fives of each power. */
function toLogTicks(from: number, to: number): number[] {
  const [first, last] = [Math.floor(Math.log10(from)), Math.floor(Math.log10(to))]
  const powers = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index))
  const all = powers.flatMap((power) => [power, 2 * power, 5 * power])
  const within = all.filter((price) => price >= from && price <= to)
  const every = Math.ceil(within.length / (MOST_TICKS + 1))
  return within.filter((_, index) => index % every === 0)
}

/** In pixels from the pane's top; null of nothing. */
export const toPriceY = ({ pane, toValue }: PriceScale, close: number | null): number | null =>
  close === null ? null : toY(pane, toValue(close))
