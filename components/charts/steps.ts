import { type Corner, toCornersPath } from './path-text.ts'

/** Something that stands from `x` (pixels) on, until the next; null is a gap. The last one only ends it. */
export type Step<T> = { x: number; value: T | null }

/** A line through values in pixels, each held until the next: `M0 5h8v-3`. A last one that is no gap is its end. */
export const toStepPath = (steps: readonly Step<number>[]): string =>
  toRuns(steps)
    .map((run) =>
      toCornersPath(run.flatMap(({ from, to, value }) => [corner(from, value), corner(to, value)])),
    )
    .join('')

/** What lies between two such lines. */
export const toStepArea = (steps: readonly Step<readonly [number, number]>[]): string =>
  toRuns(steps)
    .map((run) => {
      const there = run.flatMap(({ from, to, value: [, y] }) => [corner(from, y), corner(to, y)])
      const back = run
        .toReversed()
        .flatMap(({ from, to, value: [y] }) => [corner(to, y), corner(from, y)])
      return `${toCornersPath([...there, ...back])}z`
    })
    .join('')

const corner = (x: number, y: number): Corner => [x, y]

type Held<T> = { from: number; to: number; value: T }

/** What stands without a gap, each part from where to where. */
function toRuns<T>(steps: readonly Step<T>[]): Held<T>[][] {
  const runs: Held<T>[][] = []
  let open: Held<T>[] | null = null
  for (const [index, { x, value }] of steps.entries()) {
    if (value === null) {
      open = null
      continue
    }
    if (open === null) {
      open = []
      runs.push(open)
    }
    open.push({ from: x, to: steps[index + 1]?.x ?? x, value })
  }
  return runs
}
