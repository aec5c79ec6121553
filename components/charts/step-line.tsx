import type { PaneFrame } from './pane-frame.ts'
import { type PaneScale, toY } from './pane-scale.ts'
import { type Step, toStepArea, toStepPath } from './steps.ts'
import { toX } from './time-frame.ts'

type Look = {
  name?: string
  colour: string
  size: number
  opacity?: number
  dashes?: string
  isInk?: boolean
}

type StepLineProps = {
  frame: PaneFrame
  scale: PaneScale
  /** The end of each bucket's step, seconds since 1970. */
  ends: readonly number[]
  /** One for each bucket; null is a gap. */
  values: readonly (number | null)[]
  look: Look
}

/** A value for each bucket as steps, each drawn to the bucket's end. */
export function StepLine({ frame, scale, ends, values, look }: StepLineProps) {
  const heights = values.map((value) => (value === null ? null : toY(scale, value)))
  return (
    <path
      className={look.isInk ? 'forced-colors:[stroke:CanvasText]' : undefined}
      data-mark={look.name}
      d={toStepPath(toSteps(frame, ends, heights))}
      fill="none"
      stroke={look.colour}
      strokeDasharray={look.dashes}
      strokeOpacity={look.opacity}
      strokeWidth={look.size}
    />
  )
}

type StepBandProps = Omit<StepLineProps, 'values' | 'look'> & {
  values: readonly (readonly [number, number] | null)[]
  look: { name: string; colour: string; opacity: number }
}

/** What lies between two values of each bucket. */
export function StepBand({ frame, scale, ends, values, look }: StepBandProps) {
  const heights = values.map((value) =>
    value === null ? null : ([toY(scale, value[0]), toY(scale, value[1])] as const),
  )
  return (
    <path
      className="forced-colors:[fill-opacity:0.3] forced-colors:[fill:CanvasText]"
      d={toStepArea(toSteps(frame, ends, heights))}
      data-mark={look.name}
      fill={look.colour}
      fillOpacity={look.opacity}
    />
  )
}

/** With the end of the last bucket behind them, which closes its step. */
function toSteps<T>(
  frame: PaneFrame,
  ends: readonly number[],
  values: readonly (T | null)[],
): Step<T>[] {
  const steps = values.map((value, index) => ({ x: toX(frame, frame.edges[index] ?? 0), value }))
  return [...steps, { x: toX(frame, ends.at(-1) ?? 0), value: null }]
}
