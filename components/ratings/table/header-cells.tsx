'use client'

import type { Header } from '@tanstack/react-table'
import { useMemo, useRef } from 'react'
import { ColumnEdge } from '#components/list/columns/column-edge.tsx'
import { SpanBars } from '#components/list/histogram-bars.tsx'
import {
  type HeaderBins,
  toHeaderBins,
  toHeaderStack,
} from '#components/ratings/filters/column-histogram.ts'
import { classNames } from '#components/ui/class-names.ts'
import { SortHeader } from '#components/ui/table.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { useLater } from '#components/ui/use-later.ts'
import { useSame } from '#components/ui/use-same.ts'
import type { Facets, RatingRow } from '#lib/contract/answers/ratings.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { type ChangeQuery, type QueryProps, withSort } from '#lib/contract/ratings-view.ts'
import type { features } from './column-cells.tsx'
import { isColumnId, toColumnField } from './columns.ts'

type HeaderCellsProps = QueryProps & {
  headers: readonly Header<typeof features, RatingRow>[]
  facets: Facets | undefined
}

export function HeaderCells({ headers, ...bars }: HeaderCellsProps) {
  const { query, change } = bars
  const isRewound = query.asof !== null
  return headers.map(({ id, column }) => {
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
        edge={<ColumnEdge column={column} />}
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
  const header = useSame(facets ? toHeaderBins(column, query, { facets, zone }) : null)
  return header && <Strip header={header} change={change} />
}

const loadControl = async () =>
  (await import('#components/ratings/filters/span-filters.tsx')).HeaderControl

function Strip({ header, change }: { header: HeaderBins; change: ChangeQuery }) {
  const track = useRef<HTMLDivElement>(null)
  const Control = useLater(track, loadControl)
  const { bars, chosen } = useMemo(() => toHeaderStack(header), [header])
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
      <SpanBars track={track} bars={bars} chosen={chosen} heightPx={HEIGHT_PX}>
        {Control && <Control track={track} header={header} change={change} />}
      </SpanBars>
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
