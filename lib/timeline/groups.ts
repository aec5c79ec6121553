/** Indexes whose place is `size` are left out. */
export function toGroups(places: Int32Array, size: number) {
  const starts = new Int32Array(size + 2)
  for (const place of places) starts[place + 1] = (starts[place + 1] ?? 0) + 1
  for (let place = 0; place < size; place += 1) {
    starts[place + 1] = (starts[place + 1] ?? 0) + (starts[place] ?? 0)
  }
  const next = starts.slice()
  const ordered = new Int32Array(starts[size] ?? 0)
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index] ?? size
    if (place === size) continue
    const at = next[place] ?? 0
    ordered[at] = index
    next[place] = at + 1
  }
  return { of: (place: number) => ordered.subarray(starts[place], starts[place + 1]) }
}
