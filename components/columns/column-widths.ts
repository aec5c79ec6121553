import { COLUMN_FACTS, type ColumnId } from './column-facts.ts'
import type { ColumnSizes } from './table-settings.ts'

/** In the first column stands what selects the row, before its value. */
const CHECK_PX = 14

/** The width that a column has by itself. */
export const ownWidth = (id: ColumnId, isFirst: boolean): number =>
  COLUMN_FACTS[id].widthPx + (isFirst ? CHECK_PX : 0)

/**
 * The widths of the columns that are shown, in CSS pixels, and the least width of the table. As a newcomer finds them
 * they share a wider table in proportion; once a reader has drawn one, each keeps its own, so that an edge stays where
 * it was put, and the last one takes what is left: it is `null` then.
 */
export function toWidths(shown: readonly ColumnId[], sizes: ColumnSizes) {
  const own = shown.map((id, place) => sizes[id] ?? ownWidth(id, place === 0))
  const isDrawn = shown.some((id) => sizes[id] !== undefined)
  return {
    widths: own.map((px, place) => (isDrawn && place === own.length - 1 ? null : px)),
    leastPx: own.reduce((sum, px) => sum + px, 0),
  }
}
