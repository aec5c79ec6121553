/** A place that a `Curve` goes through, in pixels; a gap where both are null. */
type CurvePoint = { x: number | null; y: number | null }

const GAP: CurvePoint = { x: null, y: null }

/** Nobody sees less than a tenth of a pixel, and the paths come with the page. */
const toPoint = (x: number, y: number): CurvePoint => ({
  x: toTenths(x) / 10,
  y: toTenths(y) / 10,
})

const toTenths = (value: number): number => Math.round(value * 10)

type Segment = { x1: number; y1: number; x2: number; y2: number }

/** Straight lines, each by itself, as the points of one `Curve`. */
export const toSegmentPoints = (segments: readonly Segment[]): CurvePoint[] =>
  segments.flatMap(({ x1, y1, x2, y2 }) => [toPoint(x1, y1), toPoint(x2, y2), GAP])

/** Something that stands from `x` (pixels) on, until the next; null is a gap. The last one only ends it. */
export type Step<T> = { x: number; value: T | null }

/*
 * Steps, boxes and dots there are by the thousand. Their paths are written here, each place from the one before: steps of
 * one width repeat themselves where places never do. Whole tenths add up without an error.
 */

type Place = { x: number; y: number }

/** Where a run of values begins, where each of them does, and where the last one ends. */
type Run<T> = { x: number; value: T }[]

/** What stands between two gaps. */
function toRuns<T>(steps: readonly Step<T>[]): Run<T>[] {
  const runs: Run<T>[] = []
  let isOpen = false
  for (const { x, value } of steps) {
    const run = runs.at(-1)
    const held = isOpen ? run?.at(-1) : undefined
    if (value === null) {
      if (held) run?.push({ x, value: held.value })
    } else if (isOpen) run?.push({ x, value })
    else runs.push([{ x, value }])
    isOpen = value !== null
  }
  return runs
}

/** From the first place on sideways to the next, then up or down to it. In tenths; what only repeats is left out. */
function toStairs([first, ...others]: readonly Place[]): string {
  let at = first
  let path = ''
  for (const [index, place] of others.entries()) {
    if (!at) return ''
    const isLast = index === others.length - 1
    if (place.y === at.y && !isLast) continue
    path += `h${toText(place.x - at.x)}${place.y === at.y ? '' : `v${toText(place.y - at.y)}`}`
    at = place
  }
  return path
}

/** The path of steps through values in pixels, each held until the next: a value between two gaps is a line too. */
export const toStepsPath = (steps: readonly Step<number>[]): string =>
  toRuns(steps)
    .map((run) => toBegin(toEdge(run, (value) => value)) + toStairs(toEdge(run, (value) => value)))
    .join('')

/** The same of what lies between two values: along its upper edge, and back along its lower one. */
export const toBandPath = (steps: readonly Step<readonly [number, number]>[]): string =>
  toRuns(steps)
    .map((run) => {
      const upper = toEdge(run, ([, high]) => high)
      const lower = toEdge(run, ([low]) => low)
      // On the way back a value begins where it ended.
      const back = lower.map(({ x }, index) => ({ x, y: (lower[index - 1] ?? lower[0])?.y ?? 0 }))
      const down = (back.at(-1)?.y ?? 0) - (upper.at(-1)?.y ?? 0)
      return `${toBegin(upper)}${toStairs(upper)}v${toText(down)}${toStairs(back.reverse())}z`
    })
    .join('')

const toEdge = <T>(run: Run<T>, select: (value: T) => number): Place[] =>
  run.map(({ x, value }) => ({ x: toTenths(x), y: toTenths(select(value)) }))

const toBegin = ([first]: readonly Place[]): string => (first ? `M${toPair(first.x, first.y)}` : '')

/** A rectangle of a path, in pixels. */
export type Box = { left: number; right: number; top: number; bottom: number }

/** Of so many tenths: `123` is `12.3`. */
const toText = (tenths: number): string => String(tenths / 10)

const toPair = (first: number, second: number): string =>
  `${toText(first)}${second < 0 ? '' : ' '}${toText(second)}`

/** A mark of a path: the tenths of a pixel that it begins at, and what is drawn from there, which ends there. */
type Mark = { x: number; y: number; drawn: string }

/** Marks in one path, each counted from the one before. */
function toMarksPath(marks: readonly Mark[]): string {
  let [atX, atY] = [0, 0]
  return marks
    .map(({ x, y, drawn }) => {
      const move = `m${toPair(x - atX, y - atY)}`
      atX = x
      atY = y
      return `${move}${drawn}`
    })
    .join('')
}

/** One path for all of them. What is closed ends where it began. */
export const toBoxesPath = (boxes: readonly Box[]): string =>
  toMarksPath(
    boxes.map((box) => {
      const [x, y] = [toTenths(box.left), toTenths(box.top)]
      const [width, height] = [toTenths(box.right) - x, toTenths(box.bottom) - y]
      return { x, y, drawn: `h${toText(width)}v${toText(height)}h${toText(-width)}z` }
    }),
  )

/** A dot at each place: a line of no length, which its round ends make seen. */
export const toDotsPath = (places: readonly Place[]): string =>
  toMarksPath(places.map(({ x, y }) => ({ x: toTenths(x), y: toTenths(y), drawn: 'h0' })))
