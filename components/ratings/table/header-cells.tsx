'use client'

import { useMemo } from 'react'
import { ColumnEdge } from '#components/list/columns/column-edge.tsx'
import { SpanControl } from '#components/list/span-control.tsx'
import {
  type HeaderBins,
  toHeaderBars,
  toHeaderBins,
  toHeaderStack,
} from '#components/ratings/filters/column-histogram.ts'
import { toBarsModel } from '#components/ratings/filters/filter-bars.ts'
import { classNames } from '#components/ui/class-names.ts'
import { SortHeader } from '#components/ui/table.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { type ChangeQuery, type QueryProps, withSort } from '#lib/contract/ratings-view.ts'
import { isColumnId, toColumnField } from './columns.ts'
import type { RatingsTable } from './table-session.ts'

type HeaderCellsProps = QueryProps & {
  table: RatingsTable
  facets: Facets | undefined
}

export function HeaderCells({ table, ...bars }: HeaderCellsProps) {
  const { query, change } = bars
  const isRewound = query.asof !== null
  return table.getFlatHeaders().map(({ id, column }) => {
    if (!isColumnId(id)) return null
    const { label, numeric, sort = 'desc' } = toColumnField(id)
    return (
      <SortHeader
        key={id}
        column={id}
        label={label}
        numeric={numeric === true}
        title={isRewound && id.startsWith('tally') ? 'as last seen' : undefined}
        direction={query.sort.column === id ? query.sort.direction : null}
        onSort={() => change((now) => withSort(now, toNextSort(now.sort, id, sort)))}
        above={hasHeaderBars(id) && <HeaderBars column={id} {...bars} />}
        edge={<ColumnEdge column={column} table={table} />}
      />
    )
  })
}

type HeaderBarsProps = QueryProps & { facets: Facets | undefined; column: string }

const BAR_PX: Readonly<Record<string, number>> = { rating: 12, prediction: 4, created_at: 4 }
const HEIGHT_PX = 20

const hasHeaderBars = (column: string): boolean => column in BAR_PX

function HeaderBars({ column, query, change, facets }: HeaderBarsProps) {
  const zone = useZone()
  const header = useMemo(
    () => (facets ? toHeaderBins(column, query, { facets, zone }) : null),
    [column, query, facets, zone],
  )
  return header && <Strip header={header} change={change} />
}

function Strip({ header, change }: { header: HeaderBins; change: ChangeQuery }) {
  const bars = useMemo(() => toHeaderStack(header), [header])
  const model = useMemo(() => toBarsModel(toHeaderBars(header), change), [header, change])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus where it is
    <span
      className={classNames(
        'block max-w-full border-b border-line-2',
        header.column === 'prediction' && 'ml-auto',
      )}
      style={{ width: bars.length * (BAR_PX[header.column] ?? 0) }}
      onMouseDown={(event) => event.preventDefault()}
    >
      <SpanControl bars={bars} model={model} heightPx={HEIGHT_PX} />
    </span>
  )
}

export function toNextSort<C extends string>(
  current: Sort<C>,
  column: C,
  usual: Sort<C>['direction'],
): Sort<C> {
  if (current.column !== column) return { column, direction: usual }
  return { column, direction: current.direction === 'asc' ? 'desc' : 'asc' }
}
