'use client'

import { useRouter } from 'next/navigation'
import {
  type ComponentType,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  type SyntheticEvent,
  useDeferredValue,
  useEffect,
  useState,
} from 'react'
import { useHeaderEvents } from '#components/list/columns/column-edge.tsx'
import { toWidths } from '#components/list/columns/column-settings.ts'
import { isPlainClick } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { Cell, Table } from '#components/ui/table.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { usePrinting } from '#components/ui/use-browser.ts'
import { useLazyEvents } from '#components/ui/use-lazy-events.ts'
import type { Facets, RatingRow, RatingsPage } from '#lib/contract/answers/ratings.ts'
import { withoutBase } from '#lib/contract/base-path.ts'
import type { QueryProps } from '#lib/contract/ratings-view.ts'
import { HeaderCells } from './header-cells.tsx'
import { RatingsRow, type RowsProps } from './ratings-row.tsx'
import { isRatingLink, type RowContext, type RowSession } from './table-session.ts'
import type { TableModel } from './use-ratings-table.ts'

/** From this many rows on, only visible ones are rendered. */
const MANY = 101

const RatingsRows = memo(function RatingsRows(props: RowsProps) {
  const SeenRows = useVirtualRows(props.rows.length >= MANY)
  const isPrinted = usePrinting()
  return SeenRows && !isPrinted ? <SeenRows {...props} /> : <EveryRow {...props} />
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

type VirtualRows = ComponentType<RowsProps>

let loaded: VirtualRows | null = null

export async function loadVirtualRows(): Promise<VirtualRows> {
  loaded ??= (await import('./virtual-rows.tsx')).VirtualRows
  return loaded
}

/** Null until loaded. */
function useVirtualRows(isWanted: boolean): VirtualRows | null {
  const [, setLoaded] = useState(false)
  const [isMounted, setMounted] = useState(false)
  useEffect(() => {
    setMounted(true)
    if (!isWanted) return
    loadVirtualRows().then(
      () => setLoaded(true),
      () => undefined,
    )
  }, [isWanted])
  return isWanted && isMounted ? loaded : null
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

const load = () => import('./body-actions.ts')

function useRowEvents(context: RowContext) {
  const act = useLazyEvents({ load, isTaken, context })
  const { push } = useRouter()
  return {
    onClick: (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a:not([data-open])')
      if (link instanceof HTMLAnchorElement && isPlainClick(event)) {
        event.preventDefault()
        push((withoutBase(link.pathname) ?? link.pathname) + link.search)
      }
      act(event)
    },
    onMouseDown: act,
    onPointerDown: act,
    onPointerOver: act,
    onContextMenu: act,
    onKeyDown: act,
    onFocus: act,
  }
}

const isText = () => window.getSelection()?.type === 'Range'

const KEYS = /^(Arrow(Up|Down)|Home|End|Page(Up|Down)|ContextMenu|[Ff])$/
const OWN_KEYS = /^(Enter| )$/

function isTaken(event: SyntheticEvent, context: RowContext): boolean {
  switch (event.type) {
    case 'keydown':
      return isTakenKey(event as KeyboardEvent, context)
    case 'contextmenu':
      return !(event as MouseEvent).shiftKey && !isText()
    case 'mousedown':
      // Shift would select text.
      return (event as MouseEvent).shiftKey
    case 'click':
      return isRatingLink(event) && isPlainClick(event as MouseEvent)
    default:
      return false
  }
}

function isTakenKey(event: KeyboardEvent, { session, table }: RowContext): boolean {
  const { key, target, altKey, shiftKey } = event
  if (altKey || event.defaultPrevented) return false
  if (event.ctrlKey || event.metaKey) {
    return key === 'a' || (key === 'c' && table.getIsSomeRowsSelected() && !isText())
  }
  if (key === 'F10') return shiftKey
  if (OWN_KEYS.test(key)) return target instanceof HTMLTableRowElement
  if (key === 'Escape') return session.get().open !== null || table.getIsSomeRowsSelected()
  return KEYS.test(key)
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
  const headers = table.getHeaderGroups().flatMap((group) => group.headers)
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
      <thead {...useHeaderEvents(table)}>
        <tr aria-rowindex={1}>
          <HeaderCells headers={headers} query={query} change={change} facets={facets} />
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
