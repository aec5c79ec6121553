import type { RatingRow } from '#lib/contract/answers/ratings.ts'

export type Selected = ReadonlyMap<number, RatingRow>

/** More than this nobody picks by hand, and the browser keeps them: that is what the export is for. */
export const SELECTED_MAX = 5000

export function withToggledRow(selected: Selected, row: RatingRow): Selected {
  const next = new Map(selected)
  if (!next.delete(row.id)) next.set(row.id, row)
  return next
}

export const withRows = (selected: Selected, rows: readonly RatingRow[]): Selected =>
  new Map([...selected, ...rows.map((row) => [row.id, row] as const)])

export function withoutRows(selected: Selected, rows: readonly RatingRow[]): Selected {
  const away = new Set(rows.map(({ id }) => id))
  return new Map([...selected].filter(([id]) => !away.has(id)))
}

/** The rows from one to another, both included, whichever comes first; only the last where the first is not there. */
export function rowsBetween(
  rows: readonly RatingRow[],
  from: number | null,
  to: number,
): readonly RatingRow[] {
  const places = [from, to].map((id) => rows.findIndex((row) => row.id === id))
  const [first = -1, last = -1] = places
  if (first < 0) return rows.filter(({ id }) => id === to)
  return rows.slice(Math.min(first, last), Math.max(first, last) + 1)
}
