import type { Moves } from '#lib/contract/answers/symbols.ts'
import type { MoveKind } from '#lib/contract/moves.ts'

/** `begin` and `end` are 0 to 1. */
export type Step = {
  kind: MoveKind
  events: number
  /** Two decimal places; steps add up to the displayed total. */
  change: string
  begin: number
  end: number
}

export type Waterfall = {
  steps: Step[]
  change: string
  begin: number
  end: number
  ticks: { mean: number; at: number }[]
}

/** Largest step first; null if there is no change. */
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
      kind,
      events,
      change: toText(shown[index] ?? 0),
      begin: place(reached[index] ?? 0),
      end: place(reached[index + 1] ?? 0),
    })),
    change: toText(whole),
    begin: place(Number(from)),
    end: place(Number(to)),
    ticks: toTicks(low, low + width).map((mean) => ({ mean, at: place(mean) })),
  }
}

function toTicks(low: number, high: number): number[] {
  const step = TICK_STEPS.find((one) => (high - low) / one <= 6) ?? 1
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) =>
    Number(((first + index) * step).toFixed(2)),
  )
}

const TICK_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]

export const toLargestSteps = ({ steps }: Waterfall): Step[] =>
  steps.filter(({ change }) => Number(change) !== 0)

const MICRO = 1_000_000
const SHOWN = 10_000
const LEAST = 0.02
const MARGIN = 0.04
const VALUE_MARGIN = 0.14

/** Millionths. */
const toUnits = (text: string) => Math.round(Number(text) * MICRO)
const toSize = Math.abs
/** Rounds to four places first, as other changes of a consensus are. */
const roundUnits = (units: number) =>
  Math.sign(units) * Math.round(Math.round(Math.abs(units) / 100) / 100) || 0

/** Largest-remainder rounding of millionths to hundredths; the result adds up to `whole`. */
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
