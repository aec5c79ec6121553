const UNIT = 1 / 4_294_967_296

/** A number in [0, 1) that depends on its keys alone; each key counts as a 32-bit whole number. */
export function toUnit(seed: number, stream: number, index: number): number {
  return (mix(mix(mix(seed | 0) ^ stream) ^ index) >>> 0) * UNIT
}

/** A source of numbers in [0, 1) that depends on its keys alone (mulberry32 from a mixed state). */
export type Random = { seek(index: number): void; next(): number }

export function createRandom(seed: number, stream: number): Random {
  const base = mix(mix(seed | 0) ^ stream)
  let state = base
  return {
    seek(index) {
      state = mix(base ^ index)
    },
    next() {
      state = (state + 0x6d2b79f5) | 0
      let t = Math.imul(state ^ (state >>> 15), 1 | state)
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
      return ((t ^ (t >>> 14)) >>> 0) * UNIT
    },
  }
}

/** Picks an index in proportion to its weight, from a number in [0, 1). */
export function createSampler(weights: readonly number[]): (unit: number) => number {
  const cumulative = new Float64Array(weights.length)
  let total = 0
  weights.forEach((weight, index) => {
    total += weight
    cumulative[index] = total
  })
  return (unit) => {
    const target = unit * total
    let low = 0
    let high = cumulative.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((cumulative[middle] ?? 0) > target) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Weights of a power law: the first takes most, the tail is long. */
export const powerLaw = (size: number, shift: number, exponent: number): number[] =>
  Array.from({ length: size }, (_, rank) => (rank + shift) ** -exponent)

function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) + 0x9e3779b9
}
