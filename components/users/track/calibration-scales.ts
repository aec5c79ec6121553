import type { Calibration } from '#lib/contract/answers/track.ts'

/** How high the chart is. */
export const CHART_PX = 300

/** A group as it is drawn: in percent, `error` how far the interval reaches below and above. */
export type ChartGroup = { index: number; x: number; y: number; error: [number, number] }

const toPercent = (fraction: string) => Number(fraction) * 100

export const toChartGroups = (groups: Calibration['groups']): ChartGroup[] =>
  groups.map((group, index) => {
    const y = toPercent(group.return)
    const { return_low: low, return_high: high } = group
    return {
      index,
      x: toPercent(group.prediction),
      y,
      error: low === null || high === null ? [0, 0] : [y - toPercent(low), toPercent(high) - y],
    }
  })

const STEPS = [1, 2, 2.5, 5, 10]
const MOST_STEPS = 6

/** Round values that hold all of these and 0, at most so many that a narrow chart has room for them. */
export function toTicks(values: readonly number[]): readonly number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const least = (high - low || 1) / MOST_STEPS
  const power = 10 ** Math.floor(Math.log10(least))
  const step = (STEPS.find((times) => times * power >= least) ?? 10) * power
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const count = Math.max(1, last - first)
  return Array.from({ length: count + 1 }, (_, index) => round((first + index) * step))
}

/** Without what a float adds to a round number. */
const round = (value: number) => Number(value.toPrecision(12))

type Point = { x: number; y: number }

/** The part of the line of equal values that both scales hold; null where they share none. */
export function selectLine(
  across: readonly number[],
  up: readonly number[],
): readonly [Point, Point] | null {
  const low = Math.max(across[0] ?? 0, up[0] ?? 0)
  const high = Math.min(across.at(-1) ?? 0, up.at(-1) ?? 0)
  return low < high
    ? [
        { x: low, y: low },
        { x: high, y: high },
      ]
    : null
}
