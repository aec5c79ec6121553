import type { Calibration } from '#lib/contract/answers/track.ts'

/** Percent. */
type ChartGroup = { predicted: number; came: number; interval: [number, number] | null }

const toPercent = (fraction: string) => Number(fraction) * 100

export const toChartGroups = (groups: Calibration['groups']): ChartGroup[] =>
  groups.map(({ prediction, return: came, return_low: low, return_high: high }) => ({
    predicted: toPercent(prediction),
    came: toPercent(came),
    interval: low === null || high === null ? null : [toPercent(low), toPercent(high)],
  }))

const STEPS = [1, 2, 2.5, 5, 10]
const MOST_STEPS = 4

export function toTicks(values: readonly number[]): readonly number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const least = (high - low || 1) / MOST_STEPS
  const power = 10 ** Math.floor(Math.log10(least))
  const step = (STEPS.find((times) => times * power >= least) ?? 10) * power
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const count = Math.max(1, last - first)
  return Array.from({ length: count + 1 }, (_, index) => round((first + index) * step))
}

/** Removes floating-point noise. */
const round = (value: number) => Number(value.toPrecision(12))

/** Both axes share one scale, to which intervals are clipped. */
export function toScale(groups: readonly ChartGroup[], sizePx: number) {
  const ticks = toTicks(groups.flatMap(({ predicted, came }) => [predicted, came]))
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const toPx = (value: number) =>
    (sizePx * (Math.min(high, Math.max(low, value)) - low)) / (high - low)
  return { ticks, toPx }
}
