import { type ColumnId, isColumnId } from './column-facts.ts'
import { ownWidth } from './column-widths.ts'
import { type ColumnSizes, toWidth } from './table-settings.ts'
import type { Columns } from './use-columns.ts'

/**
 * The widths once one column has another: every other keeps the one it is seen in, since an edge must not move another.
 * The last one takes what is left, so what it is seen in is not its own.
 */
export function withSize(
  header: HTMLTableCellElement,
  { shown, sizes }: Columns,
  { id, px }: { id: ColumnId; px: number },
): ColumnSizes {
  const seen: Partial<Record<ColumnId, number>> = { ...sizes }
  for (const cell of header.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? []) {
    const { column = '' } = cell.dataset
    if (isColumnId(column)) seen[column] = toWidth(cell.getBoundingClientRect().width)
  }
  const last = shown.at(-1)
  if (last) seen[last] = sizes[last] ?? ownWidth(last, shown.length === 1)
  return { ...seen, [id]: px }
}

/** The widths once a column has its own again. */
export const withoutSize = ({ sizes }: Columns, id: ColumnId): ColumnSizes =>
  Object.fromEntries(Object.entries(sizes).filter(([name]) => name !== id))
