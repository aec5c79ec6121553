/** At most so many bins: as many neighbours as must be are one. */
export function toMerged<B extends { to: unknown; count: number }>(
  bins: readonly B[],
  most: number,
): B[] {
  const size = Math.ceil(bins.length / most)
  if (size <= 1) return [...bins]
  const merged: B[] = []
  for (let at = 0; at < bins.length; at += size) {
    const [first, ...rest] = bins.slice(at, at + size)
    if (!first) continue
    const count = rest.reduce((sum, bin) => sum + bin.count, first.count)
    merged.push({ ...first, to: rest.at(-1)?.to ?? first.to, count })
  }
  return merged
}
