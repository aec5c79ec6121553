'use client'

import { useSearchParams } from 'next/navigation'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { SortControl } from '#components/list/sort-control.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { TableFrame } from '#components/ui/table.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import type { Facets, RatingsPage } from '#lib/contract/answers/ratings.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import { type QueryProps, withSort } from '#lib/contract/ratings-view.ts'
import { NoMatchList } from './no-results.tsx'
import { BeyondEnd } from './ratings-notices.tsx'
import { SORTABLE_COLUMNS } from './table/columns.ts'
import { RatingsTable } from './table/ratings-table.tsx'
import { findRow, focusRow, revealRow } from './table/scroll-to-row.ts'
import type { RowSession } from './table/table-session.ts'
import { RowTools } from './table/table-tools.tsx'
import type { TableModel } from './table/use-ratings-table.ts'

type RatingsBodyProps = QueryProps & {
  filters: QueryProps['query']
  page: RatingsPage | undefined
  facets: Facets | undefined
  model: TableModel
  session: RowSession
  frame: RefObject<HTMLElement | null>
  isOld: boolean
  instead?: ReactNode
  shows: number
}

export function RatingsBody({ instead, isOld, filters, shows, ...props }: RatingsBodyProps) {
  const { query, change, page, session, frame } = props
  const noteScroll = useKeptScroll(frame, { query, page, isOld })
  useGoToTop(frame, shows)
  useRowsOfPage(session, query.open, { page, frame })
  const info = page?.page
  const hasRows = page !== undefined && page.data.length > 0
  const isOutline = !hasRows && isOld
  // Deferred: the sheet opens at once, the columns follow.
  const isBeside = useDeferredValue(query.open !== null)
  const table = { ...props, query: filters, page: isOutline ? undefined : page }
  return (
    <>
      {!instead && (
        <SortControl
          columns={SORTABLE_COLUMNS}
          onSort={(sort) => change((view) => withSort(view, sort))}
          sort={query.sort}
        />
      )}
      <TableFrame
        ref={frame}
        id={hasRows ? undefined : 'rows'}
        aria-label="Ratings"
        aria-busy={isOld || (page === undefined && !instead)}
        onScroll={({ currentTarget }) => {
          const { dataset, scrollLeft } = currentTarget
          noteScroll(currentTarget)
          if (scrollLeft > 0) dataset.aside = ''
          else delete dataset.aside
        }}
        className={classNames(
          'sm:h-[calc(100dvh-4rem)] sm:min-h-[240px] sm:overflow-y-auto lg:h-auto lg:grow lg:basis-0 lg:[scrollbar-gutter:stable]',
          isBeside && 'ratings-beside',
        )}
      >
        <div className={classNames(isOld && hasRows && 'dimmed-rows')}>
          <RatingsTable {...table} isBlank={Boolean(instead)} />
        </div>
        <div className="sticky left-0 empty:hidden">
          {instead}
          {!instead && !isOld && info?.total === 0 && <NoMatchList query={query} change={change} />}
          {!isOld && info && info.total > 0 && info.number > info.pages && (
            <BeyondEnd query={query} change={change} info={info} />
          )}
        </div>
      </TableFrame>
      {page && <Tools {...props} page={page} />}
    </>
  )
}

type ToolsProps = Pick<RatingsBodyProps, 'query' | 'change' | 'model' | 'session' | 'frame'> & {
  page: RatingsPage
}

function Tools({ query, change, model, page, session, frame }: ToolsProps) {
  const zone = useZone()
  const rows = page.data
  const { table, shown } = model
  return <RowTools query={query} context={{ session, table, rows, shown, change, zone, frame }} />
}

const SETTLED_MS = 100

/**
 * Browsers restore only the window's scroll position: the table's is kept with the history entry.
 * New rows start where their entry was left, or at the top. `scrollTo` at the same position would
 * still force a layout.
 */
function useKeptScroll(
  frame: RefObject<HTMLElement | null>,
  { query, page, isOld }: Pick<RatingsBodyProps, 'query' | 'page' | 'isOld'>,
) {
  const rows = toParams(ratingsQuery, query).toString()
  const shown = useRef<string>(undefined)
  const wanted = useRef(rows)
  const top = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const drawn = useDeferredValue(page)
  useLayoutEffect(() => {
    wanted.current = rows
    if (isOld || page === undefined || shown.current === rows) return
    const kept = readKeptTop(rows)
    if (kept > 0 && drawn !== page) return
    shown.current = rows
    if (top.current !== kept) frame.current?.scrollTo({ top: kept })
  }, [frame, rows, isOld, page, drawn])
  const keep = useCallback(() => {
    const { current: rows = '' } = shown
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (shown.current === rows && wanted.current === rows) keepTop(rows, top.current)
    }, SETTLED_MS)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  const entry = useSearchParams()
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening and closing a rating adds an entry
  useEffect(() => {
    if (top.current > 0) keep()
  }, [entry, keep])
  return useCallback(
    ({ scrollTop }: HTMLElement) => {
      if (top.current === scrollTop) return
      top.current = scrollTop
      if (shown.current === wanted.current) keep()
    },
    [keep],
  )
}

const KEPT_TOP = 'ratingsTop'

/** The address may follow the rows, so the entry says whose position it is. */
const keepTop = (rows: string, top: number) =>
  window.history.replaceState({ ...window.history.state, [KEPT_TOP]: { rows, top } }, '')

function readKeptTop(rows: string): number {
  const kept = window.history.state?.[KEPT_TOP]
  return kept?.rows === rows ? Number(kept.top) : 0
}

/** The pressed button has disappeared, so the focus moves to the table. */
function useGoToTop(frame: RefObject<HTMLElement | null>, shows: number) {
  useEffect(() => {
    if (shows === 0) return
    frame.current?.scrollTo({ top: 0 })
    frame.current?.focus({ preventScroll: true })
    frame.current?.scrollIntoView({ block: 'nearest' })
  }, [frame, shows])
}

/** The selection survives filters, sorting and paging. */
function useRowsOfPage(
  session: RowSession,
  open: number | null,
  { page, frame }: Pick<RatingsBodyProps, 'page' | 'frame'>,
): void {
  // Deferred: by then all rows are drawn.
  const drawn = useDeferredValue(page)
  useEffect(() => {
    if (session.get().open !== open) session.set({ open })
  }, [session, open])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row of what is open may come with another page
  useEffect(() => {
    // After the render that the change of the session triggers.
    if (open !== null) queueMicrotask(() => showOpen(open, frame))
  }, [open, drawn, frame])
  useEffect(() => {
    const rows = page?.data ?? []
    const { cursor, selected } = session.get()
    const known = rows.filter(({ id }) => selected.has(id))
    // Keeps the selected rows up to date for copying.
    if (known.length > 0) {
      session.set({
        selected: new Map([...selected, ...known.map((row) => [row.id, row] as const)]),
      })
    }
    if (cursor === null || rows.some(({ id }) => id === cursor)) return
    session.set({ cursor: null })
    if (document.activeElement === document.body) focusRow(null, frame)
  }, [session, page, frame])
}

/** A focused row passes the focus to the row of the open rating. */
function showOpen(id: number, frame: RatingsBodyProps['frame']) {
  const row = findRow(id, frame)
  if (!frame.current || !row) return
  revealRow(row, frame.current)
  if (document.activeElement instanceof HTMLTableRowElement) row.focus({ preventScroll: true })
}
