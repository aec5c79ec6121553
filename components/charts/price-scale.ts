import type { PriceLine } from './chart-data.ts'
import { PANE_HEIGHTS } from './chart-sizes.ts'
import { type PaneScale, toPaneScale, toY } from './scales.ts'

/** Values are prices or their base-10 logarithms. */
export type PriceScale = {
  pane: PaneScale
  ticks: number[]
  toValue: (price: number) => number
  toPrice: (value: number) => number
}

export type Priced = { price: PriceLine; scale: PriceScale }

export const PRICE_COLOUR = 'color-mix(in srgb, var(--accent) 70%, var(--surface))'

const PADDING = { top: 28, bottom: 28 }
const MOST_TICKS = 5
const MANTISSAS = [1, 2, 2.5, 5, 10]

export function toPriceScale({ closes, isLog }: PriceLine): PriceScale {
  const known = closes.filter((close) => close !== null)
  const [low, high] = known.length === 0 ? [1, 2] : [Math.min(...known), Math.max(...known)]
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

/** Share of the lowest close. Below it, logarithms no longer differ as floating-point numbers. */
const LEAST_MOVE = 1e-9

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

function toLogTicks(from: number, to: number): number[] {
  const [first, last] = [Math.floor(Math.log10(from)), Math.floor(Math.log10(to))]
  const powers = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index))
  const all = powers.flatMap((power) => [power, 2 * power, 5 * power])
  const within = all.filter((price) => price >= from && price <= to)
  const every = Math.ceil(within.length / (MOST_TICKS + 1))
  return within.filter((_, index) => index % every === 0)
}

export const toPriceY = ({ pane, toValue }: PriceScale, close: number | null): number | null =>
  close === null ? null : toY(pane, toValue(close))
