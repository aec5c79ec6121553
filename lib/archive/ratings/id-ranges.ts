/** Both inclusive. */
export type IdRange = readonly [low: number, high: number]

export function uniteRanges(ranges: readonly IdRange[]): IdRange[] {
  const united: [number, number][] = []
  for (const [low, high] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = united.at(-1)
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high)
    else united.push([low, high])
  }
  return united
}

/** Inputs must be sorted and disjoint. */
export function subtractRanges(ranges: readonly IdRange[], taken: readonly IdRange[]): IdRange[] {
  const left: IdRange[] = []
  let next = 0
  for (const [low, high] of ranges) {
    let from = low
    while ((taken[next]?.[1] ?? Infinity) < from) next += 1
    for (let at = next; from <= high; at += 1) {
      const [begin, end] = taken[at] ?? [Infinity, Infinity]
      if (begin > high) {
        left.push([from, high])
        break
      }
      if (begin > from) left.push([from, begin - 1])
      from = end + 1
    }
  }
  return left
}

/** Merges the lowest ranges. */
export function limitRanges(ranges: readonly IdRange[], most: number): readonly IdRange[] {
  const surplus = ranges.length - most
  const [first, last] = [ranges[0], ranges[surplus]]
  if (surplus <= 0 || !first || !last) return ranges
  return [[first[0], last[1]], ...ranges.slice(surplus + 1)]
}
