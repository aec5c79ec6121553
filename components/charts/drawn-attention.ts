/**
 * Null is unknown. `knownFrom` and `knownTo` (exclusive) are seconds since 1970; null if never
 * known.
 */
export type DrawnAttention = {
  sources: readonly string[]
  columns: readonly ({ total: number; bySource: readonly number[] } | null)[]
  knownFrom: number | null
  knownTo: number | null
}
