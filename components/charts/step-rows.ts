/** Rows of a chart, each standing from its `t` on; a value that is null is a gap. */
export type StepRow = { t: number } & Record<string, number | null>

/**
 * The rows with what a line needs to be drawn to the end of each step: where a gap follows, and behind the last one,
 * the row is repeated at its end. `ends` has the end of each row.
 */
export function toStepRows(rows: readonly StepRow[], ends: readonly number[]): StepRow[] {
  return rows.flatMap((row, index) => {
    const next = rows[index + 1]
    const breaks =
      !next || Object.keys(row).some((key) => row[key] !== null && (next[key] ?? null) === null)
    return breaks ? [row, { ...row, t: ends[index] ?? row.t }] : [row]
  })
}
