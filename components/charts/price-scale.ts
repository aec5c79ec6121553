import type { Closes } from './chart-data.ts'
import { PANE_HEIGHTS } from './chart-sizes.ts'
import { type PaneScale, toPaneScale, toY } from './scales.ts'

export type PriceScale = { pane: PaneScale; ticks: number[] }

export type Priced = { closes: Closes; scale: PriceScale }

export const PRICE_COLOUR = 'color-mix(in srgb, var(--accent) 70%, var(--surface))'

const PADDING = { top: 28, bottom: 28 }
const MOST_TICKS = 5
const MANTISSAS = [1, 2, 2.5, 5, 10]

export function toPriceScale(closes: Closes): PriceScale {
  const known = closes.filter((close) => close !== null)
  const [low, high] = known.length === 0 ? [1, 2] : [Math.min(...known), Math.max(...known)]
  const domain = high - low > low * LEAST_MOVE ? ([low, high] as const) : toAround(low, high)
  const pane = toPaneScale({ height: PANE_HEIGHTS.consensus, domain, padding: PADDING })
  return { pane, ticks: toTicks(...domain) }
}

/** Share of the lowest close. */
const LEAST_MOVE = 1e-9

const toAround = (low: number, high: number) => [low * 0.9, high * 1.1] as const

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

export const toPriceY = ({ pane }: PriceScale, close: number | null): number | null =>
  close === null ? null : toY(pane, close)
