/** A rectangle of a path, in pixels. */
export type Box = { left: number; right: number; top: number; bottom: number }

/** A corner of a path whose sides all go along or up and down, in pixels. */
type Corner = readonly [x: number, y: number]

/*
 * Paths are written in tenths of a pixel, each place from the one before: they come with the page, and steps of one
 * width repeat themselves where places never do. Whole tenths add up without an error.
 */
const toTenths = (value: number): number => Math.round(value * 10)

/** Of so many tenths: `123` is `12.3`. */
const toText = (tenths: number): string => String(tenths / 10)

const toPair = (first: number, second: number): string =>
  `${toText(first)}${second < 0 ? '' : ' '}${toText(second)}`

/** A path along corners: `M0 5h8v-3`. Sides that go on in the same direction are one. */
export function toCornersPath(corners: readonly Corner[]): string {
  const [first, ...rest] = corners
  if (!first) return ''
  let [atX, atY] = [toTenths(first[0]), toTenths(first[1])]
  let path = `M${toPair(atX, atY)}`
  let along = 0
  const goAlong = () => {
    if (along !== 0) path += `h${toText(along)}`
    along = 0
  }
  for (const corner of rest) {
    const [x, y] = [toTenths(corner[0]), toTenths(corner[1])]
    along += x - atX
    if (y !== atY) {
      goAlong()
      path += `v${toText(y - atY)}`
    }
    atX = x
    atY = y
  }
  goAlong()
  return path
}

/** A mark of a path: the tenths of a pixel that it begins at, what is drawn from there, and how far below that ends. */
type Mark = { x: number; y: number; drawn: string; sinks?: number }

/** Marks in one path, each counted from where the one before ended. */
function toMarksPath(marks: readonly Mark[]): string {
  let [atX, atY] = [0, 0]
  return marks
    .map(({ x, y, drawn, sinks = 0 }) => {
      const move = `m${toPair(x - atX, y - atY)}`
      atX = x
      atY = y + sinks
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

/** A tick from each place, all of one length (pixels; below zero they rise). */
export function toTicksPath(places: readonly Place[], length: number): string {
  const sinks = toTenths(length)
  const drawn = `v${toText(sinks)}`
  return toMarksPath(places.map(({ x, y }) => ({ x: toTenths(x), y: toTenths(y), drawn, sinks })))
}

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
