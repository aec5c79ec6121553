/** A text at a place of the time axis, in pixels. */
type Wanted = { x: number; text: string }

/** A text with its place: `x` is the instant's, the box begins at `left` and is `width` wide, `y` is its middle. */
export type Annotation = Wanted & { left: number; width: number; y: number }

type Room = {
  /** The first and the last pixel that a label may cover. */
  left: number
  right: number
  /** The middles of the rows that labels may stand in, the best first. */
  rows: readonly number[]
}

const MOST = 3
const GAP = 6
const PADDING = 6
/** Of the text's size, 11 px; a little more than it takes, so that no label is narrower than its text. */
const LETTER_WIDTH = 6

/**
 * Places for the first of the annotations, at most three: centred at their instant, moved inside, and in the first row
 * where they touch no other. One that has no place anywhere is left out.
 */
export function toAnnotations(wanted: readonly Wanted[], room: Room): Annotation[] {
  const placed: Annotation[] = []
  for (const one of wanted) {
    if (placed.length === MOST) break
    const width = one.text.length * LETTER_WIDTH + 2 * PADDING
    if (width > room.right - room.left) continue
    const left = Math.max(room.left, Math.min(room.right - width, one.x - width / 2))
    const y = room.rows.find((row) =>
      placed.every(
        (other) =>
          other.y !== row ||
          left > other.left + other.width + GAP ||
          left + width + GAP < other.left,
      ),
    )
    if (y !== undefined) placed.push({ ...one, left, width, y })
  }
  return placed
}
