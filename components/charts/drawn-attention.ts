/**
 * Look-ups as they are drawn: of each bucket how many by each of `sources`, null where nothing is known of it. They are
 * known from `knownFrom` on and before `knownTo` (seconds since 1970; null where nothing ever was).
 */
export type DrawnAttention = {
  sources: readonly string[]
  columns: readonly ({ total: number; bySource: readonly number[] } | null)[]
  knownFrom: number | null
  knownTo: number | null
}
