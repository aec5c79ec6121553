const LANES = [0x9e3779b1, 0x85ebca77] as const
const MULTIPLIERS = [0x01000193, 0x5bd1e995] as const
/** Stands between two cells; no unit of UTF-16 is so great. */
const BETWEEN = 0x10000

/** 64 bits, as two numbers of 32. */
export type Digest = { high: number; low: number }

/** Tells cells apart, but not against somebody who means to mix them up: two texts in some 10^19 fall together. */
export function hashCells(cells: Iterable<string>): Digest {
  let [high, low] = LANES as readonly [number, number]
  for (const cell of cells) {
    for (let index = 0; index < cell.length; index += 1) {
      const unit = cell.charCodeAt(index)
      high = Math.imul(high ^ unit, MULTIPLIERS[0])
      low = Math.imul((low ^ unit) + (low >>> 15), MULTIPLIERS[1])
    }
    high = Math.imul(high ^ BETWEEN, MULTIPLIERS[0])
    low = Math.imul((low ^ BETWEEN) + (low >>> 15), MULTIPLIERS[1])
  }
  return { high: mix(high ^ (low >>> 7)), low: mix(low ^ (high >>> 9)) }
}

/** Every bit of the result depends on every bit that came. */
function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return (twice ^ (twice >>> 16)) >>> 0
}
