import { COLUMN_FACTS, type ColumnId } from './column-facts.ts'
import { WIDTH_MAX_PX, WIDTH_MIN_PX } from './table-settings.ts'

type ColumnEdgeProps = { column: ColumnId; widthPx: number | undefined }

/** The edge of a column's header: drawn by the pointer or moved by arrow keys it makes the column wider or narrower. */
export function ColumnEdge({ column, widthPx }: ColumnEdgeProps) {
  const { label, widthPx: ownPx } = COLUMN_FACTS[column]
  const px = widthPx ?? ownPx
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule has no value of its own, this one is a slider
    <span
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={px}
      aria-valuemin={WIDTH_MIN_PX}
      aria-valuemax={WIDTH_MAX_PX}
      aria-valuetext={`${px} pixels`}
      className="column-edge"
      data-edge
    />
  )
}
