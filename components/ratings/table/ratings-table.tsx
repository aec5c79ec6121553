'use client'

import {
  type CSSProperties,
  lazy,
  memo,
  type RefObject,
  Suspense,
  useDeferredValue,
  useEffect,
  useState,
} from 'react'
import { toWidths } from '#components/list/columns/column-settings.ts'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { Cell, Table } from '#components/ui/table.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { usePrinting } from '#components/ui/use-browser.ts'
import type { Facets, RatingRow, RatingsPage } from '#lib/contract/answers/ratings.ts'
import type { QueryProps } from '#lib/contract/ratings-view.ts'
import { HeaderCells } from './header-cells.tsx'
import { RatingsRow, type RowsProps } from './ratings-row.tsx'
import { useRowEvents } from './row-events.ts'
import type { RowSession } from './table-session.ts'
import type { TableModel } from './use-ratings-table.ts'

/** From this many rows on, only visible ones are rendered. */
const MANY = 101

const VirtualRows = lazy(async () => ({
  default: (await import('./virtual-rows.tsx')).VirtualRows,
}))

const RatingsRows = memo(function RatingsRows(props: RowsProps) {
  const isPrinted = usePrinting()
  const [isMounted, setMounted] = useState(false)
  // The virtualizer starts at the frame's position, which is restored after the first render.
  useEffect(() => setMounted(true), [])
  const isVirtual = isMounted && !isPrinted && props.rows.length >= MANY
  const every = <EveryRow {...props} />
  if (!isVirtual) return every
  return (
    <Suspense fallback={every}>
      <VirtualRows {...props} />
    </Suspense>
  )
})

function EveryRow({ rows, before, shown, meta, session, frame }: RowsProps) {
  return useFirstInSight(rows, frame).map((row, index) => (
    <RatingsRow
      // biome-ignore lint/suspicious/noArrayIndexKey: a row that stands elsewhere is another element; moved, it would count as a shift
      key={`${index} ${row.id}`}
      row={row}
      index={index}
      number={before + index + 1}
      session={session}
      shown={shown}
      meta={meta}
    />
  ))
}

const ROW_LEAST_PX = 26

function useFirstInSight<T>(rows: readonly T[], frame: RefObject<HTMLElement | null>) {
  const drawn = useDeferredValue(rows)
  if (drawn === rows) return rows
  const heightPx = Math.min(frame.current?.clientHeight ?? 0, window.innerHeight)
  return rows.slice(0, Math.ceil(heightPx / ROW_LEAST_PX))
}

const MOST = 40

function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: Math.min(rows, MOST) }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: outlines have nothing else and never move
    <tr key={row} aria-hidden>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outlines have nothing else and never move
        <Cell key={column}>
          <Skeleton width={`${55 + ((row * 7 + column * 13) % 40)}%`} />
        </Cell>
      ))}
    </tr>
  ))
}

const NO_ROWS: RatingRow[] = []

const toStyle = (name: `--${string}`, px: number | null | undefined): CSSProperties =>
  ({ [name]: px == null ? undefined : `${px}px` }) as CSSProperties

type RatingsTableProps = QueryProps & {
  page: RatingsPage | undefined
  facets: Facets | undefined
  model: TableModel
  session: RowSession
  frame: RefObject<HTMLElement | null>
  isBlank?: boolean
}

export const RatingsTable = memo(function RatingsTable(props: RatingsTableProps) {
  const { query, change, page, facets, model, session, frame } = props
  const { table, shown, meta, columns } = model
  const isCompact = columns.density === 'compact'
  const data = page?.data ?? NO_ROWS
  const headers = table.getFlatHeaders()
  const { widths, leastPx } = toWidths(
    table.getVisibleLeafColumns(),
    table.atoms.columnSizing.get(),
  )
  const zone = useZone()
  const rowEvents = useRowEvents({ session, table, rows: data, shown, change, zone, frame })
  return (
    <Table
      cards
      className={classNames('ratings', columns.isUsual && 'ratings-usual')}
      compact={isCompact}
      data-sort={query.sort.column}
      style={toStyle('--least-width', leastPx)}
      aria-rowcount={page && page.page.total + 1}
    >
      <caption className="sr-only">Ratings</caption>
      <colgroup>
        {headers.map(({ id }, place) => (
          <col key={id} data-column={id} style={toStyle('--width', widths[place])} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          <HeaderCells table={table} query={query} change={change} facets={facets} />
        </tr>
      </thead>
      <tbody {...rowEvents}>
        {page === undefined && !props.isBlank && (
          <SkeletonRows columns={headers.length} rows={query.per_page} />
        )}
        <RatingsRows
          rows={table.getRowModel().rows}
          before={page ? (page.page.number - 1) * page.page.size : 0}
          isCompact={isCompact}
          shown={shown}
          meta={meta}
          session={session}
          frame={frame}
        />
      </tbody>
    </Table>
  )
})
