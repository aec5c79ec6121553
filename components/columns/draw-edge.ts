import { toWidths } from './column-widths.ts'
import { withSize } from './drawn-sizes.ts'
import { followPointer } from './follow-pointer.ts'
import type { HeaderAt } from './header-at.ts'
import { type ColumnSizes, toWidth } from './table-settings.ts'

/**
 * The edge follows the pointer. The widths are set in place and kept when it is let go: rows are not drawn anew for
 * each pixel, nor at all.
 */
export function drawEdge(start: PointerEvent, { header, id, columns }: HeaderAt): void {
  const table = header.closest('table')
  if (!table) return
  const startPx = header.getBoundingClientRect().width
  const before = withSize(header, columns, { id, px: toWidth(startPx) })
  let sizes: ColumnSizes | null = null
  followPointer(start, {
    onMove: (byPx) => {
      sizes = { ...before, [id]: toWidth(startPx + byPx) }
      setWidths(table, columns.shown, sizes)
    },
    onEnd: (isKept) => {
      if (sizes && isKept) columns.setSizes(sizes)
      else setWidths(table, columns.shown, columns.sizes)
    },
  })
}

function setWidths(
  table: HTMLTableElement,
  shown: HeaderAt['columns']['shown'],
  sizes: ColumnSizes,
) {
  const { widths, leastPx } = toWidths(shown, sizes)
  table.style.minWidth = `${leastPx}px`
  for (const [place, column] of [...table.querySelectorAll('col')].entries()) {
    const px = widths[place] ?? null
    column.style.width = px === null ? '' : `${px}px`
  }
}
