import type { Moves } from '#lib/contract/answers/moves.ts'
import type { MoveKind } from '#lib/contract/moves.ts'

/** One step of a waterfall: what came to what, and where its bar stands on the scale, 0 to 1. */
export type Step = {
  kind: MoveKind
  events: number
  /** What is shown of the change, 2 places: with those of all other steps it adds up to the whole one that is shown. */
  change: string
  begin: number
  end: number
}

/** `ticks` are the axis: means, and where they stand on the scale. */
export type Waterfall = {
  steps: Step[]
  change: string
  begin: number
  end: number
  ticks: { mean: number; at: number }[]
}

/** The parts of a change as steps from the one mean to the other, the largest first; null where nothing is a change. */
export function toWaterfall(moves: Moves): Waterfall | null {
  const { change, consensus_from: from, consensus_to: to } = moves
  if (change === null || from === null || to === null) return null
  const parts = moves.parts
    .map(({ kind, events, change: part }) => ({ kind, events, part: toUnits(part ?? '0') }))
    .sort((a, b) => toSize(b.part) - toSize(a.part))
  const whole = roundUnits(toUnits(change))
  const shown = roundTogether(
    parts.map(({ part }) => part),
    whole,
  )
  let at = Number(from)
  const reached = [at, ...parts.map(({ part }) => (at += part / MICRO))]
  const [low, high] = [Math.min(...reached, Number(to)), Math.max(...reached, Number(to))]
  const width = Math.max(high - low, LEAST)
  const place = (value: number) => MARGIN + ((value - low) / width) * (1 - MARGIN - VALUE_MARGIN)
  return {
    steps: parts.map(({ kind, events }, index) => ({
      ...{ kind, events, change: toText(shown[index] ?? 0) },
      begin: place(reached[index] ?? 0),
      end: place(reached[index + 1] ?? 0),
    })),
    change: toText(whole),
    begin: place(Number(from)),
    end: place(Number(to)),
    ticks: toTicks(low, low + width).map((mean) => ({ mean, at: place(mean) })),
  }
}

/** At most seven round means from one to another. */
function toTicks(low: number, high: number): number[] {
  const step = TICK_STEPS.find((one) => (high - low) / one <= 6) ?? 1
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) =>
    Number(((first + index) * step).toFixed(2)),
  )
}

const TICK_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]

/** The steps that show at two places, the largest first. */
export const toLargestSteps = ({ steps }: Waterfall): Step[] =>
  steps.filter(({ change }) => Number(change) !== 0)

const MICRO = 1_000_000
/** What one unit of the last place that is shown is, in millionths. */
const SHOWN = 10_000
/** Nothing that moved less than this fills the scale. */
const LEAST = 0.02
const MARGIN = 0.04
/** Behind the bar that goes farthest is room for its value. */
const VALUE_MARGIN = 0.14

/** `-0.123456` in millionths. A mean rating has few enough of them to be a number. */
const toUnits = (text: string) => Math.round(Number(text) * MICRO)
const toSize = Math.abs
/** By way of four places, as any other change of a consensus is shown: the same change never has two figures. */
const roundUnits = (units: number) =>
  Math.sign(units) * Math.round(Math.round(Math.abs(units) / 100) / 100) || 0

/**
 * Millionths as hundredths that add up to `whole`: each is cut off, and what is missing is given to those that lost most by it.
 */
export function roundTogether(parts: readonly number[], whole: number): number[] {
  const cut = parts.map((part) => Math.floor(part / SHOWN))
  const missing = whole - cut.reduce((sum, one) => sum + one, 0)
  const order = parts
    .map((part, index) => ({ index, lost: part - (cut[index] ?? 0) * SHOWN }))
    .sort((a, b) => b.lost - a.lost || a.index - b.index)
  const raised = new Set(order.slice(0, missing).map(({ index }) => index))
  return cut.map((units, index) => (raised.has(index) ? units + 1 : units))
}

const toText = (hundredths: number) => (hundredths / 100).toFixed(2)
