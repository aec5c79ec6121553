/** The few of a list that stand nearest to one of them, in the list's order. */
export function selectNearest<T>(list: readonly T[], index: number, most: number): readonly T[] {
  const start = Math.max(0, Math.min(index - Math.floor(most / 2), list.length - most))
  return list.slice(start, start + most)
}
