/** Buckets from `from` to before `to`. */
export type Columns = { from: number; to: number }

/** Fewer would be drawn as a single column, which shows no course. */
const FEWEST = 2

/**
 * The whole buckets from the one that a selection began in to the one that it has come to, at least two wide. Null
 * where there are not more than that: then nothing is left to choose.
 */
export function toSelection(began: number, reached: number, count: number): Columns | null {
  if (count <= FEWEST) return null
  const within = (column: number) => Math.max(0, Math.min(count - 1, column))
  const [first, last] = [within(Math.min(began, reached)), within(Math.max(began, reached))]
  if (last > first) return { from: first, to: last + 1 }
  const from = Math.min(first, count - FEWEST)
  return { from, to: from + FEWEST }
}
