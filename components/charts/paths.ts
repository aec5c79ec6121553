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

/**
 * The points of a `Curve` of steps (`stepAfter`) through values in pixels, each held until the next. A run ends with a
 * point of its own, so that a value between two gaps is a line too; what only repeats the one before is left out.
 */
export const toStepPoints = (steps: readonly Step<number>[]): CurvePoint[] =>
  toCorners(steps, (one, other) => one === other).map((corner) =>
    corner === null ? GAP : toPoint(corner.x, corner.value),
  )

/** The same of what lies between two values: its upper edge and, as `baseLine`, its lower one. */
export function toBandPoints(steps: readonly Step<readonly [number, number]>[]) {
  const corners = toCorners(steps, (one, other) => one[0] === other[0] && one[1] === other[1])
  const toEdge = (side: 0 | 1) =>
    corners.map((corner) => (corner === null ? GAP : toPoint(corner.x, corner.value[side])))
  return { points: toEdge(1), baseLine: toEdge(0) }
}

type Corner<T> = { x: number; value: T }

/** Where each value begins that is not the one before, and where each run ends; null between two runs. */
function toCorners<T>(
  steps: readonly Step<T>[],
  isSame: (one: T, other: T) => boolean,
): (Corner<T> | null)[] {
  const corners: (Corner<T> | null)[] = []
  let held: T | null = null
  for (const [index, { x, value }] of steps.entries()) {
    if (held !== null && value === null) corners.push({ x, value: held }, null)
    if (value !== null && (held === null || !isSame(held, value))) corners.push({ x, value })
    if (value !== null && index === steps.length - 1) corners.push({ x, value })
    held = value
  }
  return corners
}

/*
 * Boxes and dots there are by the thousand. Their paths are written here, each place from the one before: steps of one
 * width repeat themselves where places never do. Whole tenths add up without an error.
 */

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

type Place = { x: number; y: number }

/** A dot at each place: a line of no length, which its round ends make seen. */
export const toDotsPath = (places: readonly Place[]): string =>
  toMarksPath(places.map(({ x, y }) => ({ x: toTenths(x), y: toTenths(y), drawn: 'h0' })))
