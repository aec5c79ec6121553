type CurvePoint = { x: number | null; y: number | null }

const GAP: CurvePoint = { x: null, y: null }

const toPoint = (x: number, y: number): CurvePoint => ({
  x: toTenths(x) / 10,
  y: toTenths(y) / 10,
})

const toTenths = (value: number): number => Math.round(value * 10)

type Segment = { x1: number; y1: number; x2: number; y2: number }

export const toSegmentPoints = (segments: readonly Segment[]): CurvePoint[] =>
  segments.flatMap(({ x1, y1, x2, y2 }) => [toPoint(x1, y1), toPoint(x2, y2), GAP])

/* Relative coordinates in whole tenths of a pixel keep long paths short and add up without
   rounding errors. */

export type Box = { left: number; right: number; top: number; bottom: number }

/** `123` is written `12.3`. */
const toText = (tenths: number): string => String(tenths / 10)

const toPair = (first: number, second: number): string =>
  `${toText(first)}${second < 0 ? '' : ' '}${toText(second)}`

/** Tenths of a pixel; `end` defaults to the start. */
type Mark = { x: number; y: number; drawn: string; end?: { x: number; y: number } }

function toMarksPath(marks: readonly Mark[]): string {
  let at = { x: 0, y: 0 }
  return marks
    .map(({ x, y, drawn, end = { x, y } }) => {
      const move = `m${toPair(x - at.x, y - at.y)}`
      at = end
      return `${move}${drawn}`
    })
    .join('')
}

export const toBoxesPath = (boxes: readonly Box[]): string =>
  toMarksPath(
    boxes.map((box) => {
      const [x, y] = [toTenths(box.left), toTenths(box.top)]
      const [width, height] = [toTenths(box.right) - x, toTenths(box.bottom) - y]
      return { x, y, drawn: `h${toText(width)}v${toText(height)}h${toText(-width)}z` }
    }),
  )

type Position = { x: number; y: number }

export const toDotsPath = (places: readonly Position[]): string =>
  toMarksPath(places.map(({ x, y }) => ({ x: toTenths(x), y: toTenths(y), drawn: 'h0' })))

/** Held from `x` (pixels) until the next step; null is a gap. */
export type Step<T> = { x: number; value: T | null }

/** Merges repeated values. */
export const toStepsPath = (steps: readonly Step<number>[]): string =>
  toMarksPath(
    toRuns(steps, (value) => [value]).map(({ corners, start, end }) => ({
      x: start.x,
      y: toSide(start, 0),
      drawn: toEdge(corners, 0),
      end: { x: end.x, y: toSide(end, 0) },
    })),
  )

export const toBandPath = (steps: readonly Step<readonly [low: number, high: number]>[]): string =>
  toMarksPath(
    toRuns(steps, (value) => value).map(({ corners, start, end }) => ({
      x: start.x,
      y: toSide(start, 1),
      drawn: `${toEdge(corners, 1)}${toRise(toSide(end, 0) - toSide(end, 1))}${toEdgeBack(corners, 0)}z`,
    })),
  )

type Corner = { x: number; values: readonly number[] }

const toSide = ({ values }: Corner, edge: number): number => values[edge] ?? 0

const toEdge = (corners: readonly Corner[], edge: number): string =>
  toPairs(corners)
    .map(
      ([from, to]) => `h${toText(to.x - from.x)}${toRise(toSide(to, edge) - toSide(from, edge))}`,
    )
    .join('')

const toEdgeBack = (corners: readonly Corner[], edge: number): string =>
  toPairs(corners)
    .reverse()
    .map(
      ([from, to]) => `${toRise(toSide(from, edge) - toSide(to, edge))}h${toText(from.x - to.x)}`,
    )
    .join('')

const toRise = (tenths: number): string => (tenths === 0 ? '' : `v${toText(tenths)}`)

const toPairs = <T>(values: readonly T[]): [T, T][] =>
  values.slice(1).map((value, index) => [values[index] ?? value, value])

type Run = { corners: readonly Corner[]; start: Corner; end: Corner }

function toRuns<T>(steps: readonly Step<T>[], toValues: (value: T) => readonly number[]): Run[] {
  const runs: Run[] = []
  let corners: Corner[] = []
  const finish = (x: number) => {
    const [start, held] = [corners[0], corners.at(-1)]
    if (!start || !held) return
    const end = { x, values: held.values }
    runs.push({ corners: [...corners, end], start, end })
    corners = []
  }
  for (const { x: place, value } of steps) {
    const x = toTenths(place)
    if (value === null) {
      finish(x)
    } else {
      const values = toValues(value).map(toTenths)
      const held = corners.at(-1)
      if (!held || values.some((one, edge) => one !== held.values[edge]))
        corners.push({ x, values })
    }
  }
  finish(toTenths(steps.at(-1)?.x ?? 0))
  return runs
}
