/** A text for a point of the line, in pixels. */
type Wanted = { x: number; y: number; text: string }

/** A text with its place: `x` is the instant's, the box begins at `left` and is `width` wide, `y` is its middle. */
export type Annotation = { x: number; text: string; left: number; width: number; y: number }

type Room = {
  /** The first and the last pixel that a label may cover. */
  left: number
  right: number
  top: number
  bottom: number
  /** How high and how low the line goes between two places, in pixels from the top; null where there is none. */
  reachOf: (left: number, right: number) => { top: number; bottom: number } | null
}

const MOST = 3
const GAP = 6
const PADDING = 6
const HALF_HEIGHT = 8
/** Labels that give way to others stand in rows so far apart. */
const ROW = 2 * HALF_HEIGHT + 4
/** Of the text's size, 11 px; a little more than it takes, so that no label is narrower than its text. */
const LETTER_WIDTH = 6

/**
 * Places for the first of the annotations, at most three: as near to their point as the line and the others leave room,
 * within the drawing. Where the line leaves none at all, at the foot or the head. One that has no place is left out.
 */
export function toAnnotations(wanted: readonly Wanted[], room: Room): Annotation[] {
  const placed: Annotation[] = []
  for (const { x, y, text } of wanted) {
    if (placed.length === MOST) break
    const width = text.length * LETTER_WIDTH + 2 * PADDING
    if (width > room.right - room.left) continue
    const isFree = (box: Box) => placed.every((other) => !isTouching({ ...box, width }, other))
    const place = toBoxes({ x, y, width }, room).find(isFree)
    if (place) placed.push({ x, text, width, ...place })
  }
  return placed
}

type Box = { left: number; y: number }

function isTouching(one: Box & { width: number }, other: Annotation): boolean {
  const isBeside =
    one.left > other.left + other.width + GAP || one.left + one.width + GAP < other.left
  return !isBeside && Math.abs(one.y - other.y) < ROW
}

/** Where a label may stand, the best first: centred at its instant or beside it, above the line or below. */
function toBoxes({ x, y, width }: Omit<Wanted, 'text'> & { width: number }, room: Room): Box[] {
  const { top, bottom } = room
  const lefts = [x - width / 2, x - width - GAP, x + GAP].map((left) =>
    Math.max(room.left, Math.min(room.right - width, left)),
  )
  const beside = lefts.flatMap((left) => {
    const reach = room.reachOf(left, left + width) ?? { top: y, bottom: y }
    const above = Math.min(reach.top - GAP - HALF_HEIGHT, bottom - HALF_HEIGHT)
    const below = Math.max(reach.bottom + GAP + HALF_HEIGHT, top + HALF_HEIGHT)
    return [0, 1, 2].flatMap((row) =>
      [above - row * ROW, below + row * ROW]
        .filter((middle) => middle - HALF_HEIGHT >= top && middle + HALF_HEIGHT <= bottom)
        .map((middle) => ({ left, y: Math.round(middle) })),
    )
  })
  const [left = room.left] = lefts
  const anywhere = [0, 1, 2].flatMap((row) => [
    { left, y: bottom - HALF_HEIGHT - row * ROW },
    { left, y: top + HALF_HEIGHT + row * ROW },
  ])
  return [...beside.sort((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y)), ...anywhere]
}
