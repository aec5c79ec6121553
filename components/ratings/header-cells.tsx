'use client'

import type { Header } from '@tanstack/react-table'
import { ColumnEdge } from '#components/columns/column-edge.tsx'
import { isColumnId } from '#components/columns/column-facts.ts'
import type { ColumnSizes } from '#components/columns/table-settings.ts'
import { SortHeader } from '#components/ui/table.tsx'
import type { Facets, RatingRow } from '#lib/contract/answers/ratings.ts'
import type { features } from './columns.tsx'
import { HeaderBars, hasHeaderBars } from './header-bars.tsx'
import type { QueryProps } from './query-change.ts'

type HeaderCellsProps = QueryProps & {
  headers: readonly Header<typeof features, RatingRow>[]
  facets: Facets | undefined
  sizes: ColumnSizes
}

/** The header of every column: its name, which sorts, its distribution, and the edge that its width is drawn by. */
export function HeaderCells({ headers, sizes, ...bars }: HeaderCellsProps) {
  const isRewound = bars.query.asof !== null
  return headers.map(
    ({ id, column }) =>
      isColumnId(id) && (
        <SortHeader
          key={id}
          column={id}
          label={column.columnDef.meta?.label ?? id}
          numeric={column.columnDef.meta?.isNumeric}
          title={isRewound && id.startsWith('tally') ? 'as last seen' : undefined}
          direction={column.getIsSorted() || null}
          onSort={() => column.toggleSorting()}
          above={hasHeaderBars(id) && <HeaderBars column={id} {...bars} />}
          edge={<ColumnEdge column={id} widthPx={sizes[id]} />}
        />
      ),
  )
}
