/** Neighbours in a rising list of whole numbers, each run with its first and its last: `1 2 3 7` → 1–3, 7–7. */
export function toRuns(columns: readonly number[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = []
  for (const column of columns) {
    const last = runs.at(-1)
    if (last && column === last.to + 1) last.to = column
    else runs.push({ from: column, to: column })
  }
  return runs
}
