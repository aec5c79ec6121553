'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import {
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { ArchiveFilling } from '#components/feedback/archive-filling.tsx'
import { IgnoredNotice } from '#components/feedback/ignored-notice.tsx'
import { formatCounted } from '#components/format/numbers.ts'
import { knownColumns } from '#components/list/columns/column-settings.ts'
import { Pager } from '#components/list/pager.tsx'
import { AsOfProvider } from '#components/time/as-of.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Select } from '#components/ui/fields.tsx'
import { LiveRegion } from '#components/ui/messages.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { ApiError } from '#lib/client/api-error.ts'
import { facetsOptions, ratingsOptions, statusSummaryOptions } from '#lib/client/query-options.ts'
import { useUrlQuery } from '#lib/client/url-query.ts'
import type { PageInfo } from '#lib/contract/answers/envelope.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { toRatingsHref } from '#lib/contract/page-addresses.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { type RatingsQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'
import {
  type ChangeQuery,
  type QueryProps,
  type RatingsView,
  ratingsView,
  withPage,
  withPerPage,
} from '#lib/contract/ratings-view.ts'
import { FilterDrawer, FilterRail } from './filters/filter-rail.tsx'
import { toPageTitle } from './filters/filter-summary.ts'
import { Timeline } from './filters/timeline.tsx'
import { RatingsBody } from './ratings-body.tsx'
import { RatingsHead } from './ratings-head.tsx'
import { LoadFailure, NewerRatings, selectFailure } from './ratings-notices.tsx'
import { COLUMN_IDS, isColumnId } from './table/columns.ts'
import { focusRow } from './table/scroll-to-row.ts'
import { createRowSession } from './table/table-session.ts'
import { useRatingsTable } from './table/use-ratings-table.ts'
import { useNewerCount } from './use-newer-count.ts'

const RatingSheet = dynamic(
  async () => (await import('#components/rating/rating-sheet.tsx')).RatingSheet,
  { ssr: false },
)

export function RatingsScreen() {
  const address = useRatingsQuery()
  return (
    <AsOfProvider asof={address.query.asof}>
      <Screen {...address} />
    </AsOfProvider>
  )
}

function Screen({ query, change, ignored, params }: ReturnType<typeof useRatingsQuery>) {
  const data = useRatingsData(query)
  const { page, facets, error, status } = data
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [shows, setShows] = useState(0)
  useDocumentTitle(query)
  const asked = { query, change }
  const frame = useRef<HTMLElement>(null)
  const [session] = useState(() => createRowSession(query.open))
  const model = useRatingsTable({ ...asked, page, session })
  const filtered = { query: useFilters(query), change }
  const now = toQuarter(page?.meta.as_of ?? status?.now ?? 0)
  const rail = <FilterRail {...filtered} facets={facets} now={now} />
  const zone = useZone()
  const failure = data.isFirstStart ? null : selectFailure(data, zone)
  const showNewer = () => {
    data.refresh()
    if (query.page > 1) change((q) => withPage(q, 1))
    setShows(shows + 1)
  }
  const isOld = data.isOld && !error
  const isOpen = query.open !== null && !data.isFirstStart
  const isBeside = useDeferredValue(isOpen)
  const found = page ? formatCounted(page.page.total, 'rating') : ''
  return (
    <div className="ratings-page relative flex min-w-0 grow lg:h-[calc(100dvh-var(--above))] lg:min-h-[560px] lg:grow-0">
      <Rail isOld={isOld}>{!isDrawerOpen && rail}</Rail>
      {isDrawerOpen && (
        <FilterDrawer done={`Show ${found}`} onClose={() => setDrawerOpen(false)}>
          {rail}
        </FilterDrawer>
      )}
      <div className="flex min-w-0 grow flex-col gap-3 p-4 max-sm:min-h-dvh sm:px-5 lg:px-2 wide:px-5 *:not-[section]:shrink-0">
        <RatingsHead
          {...asked}
          page={page}
          model={model}
          onFilters={() => setDrawerOpen(true)}
          hasFailed={error !== null}
          isFirstStart={data.isFirstStart}
          isOld={isOld}
        />
        <IgnoredNotice ignored={ignored} params={params} href={toRatingsHref(query)} />
        <div
          className={classNames(
            'relative flex min-w-0 flex-col gap-3 lg:min-h-0 lg:grow *:not-[section]:shrink-0',
            isBeside && BESIDE_SHEET,
          )}
        >
          {failure ? (
            <LoadFailure {...failure} onRetry={data.refresh} />
          ) : (
            <Timeline {...filtered} facets={facets} isBlank={data.isFirstStart} />
          )}
          {(page || !error || data.isFirstStart) && (
            <RatingsBody
              {...asked}
              filters={filtered.query}
              page={page}
              facets={facets}
              model={model}
              session={session}
              frame={frame}
              isOld={isOld}
              shows={shows}
              instead={data.isFirstStart ? <ArchiveFilling status={status} /> : undefined}
            />
          )}
          {isOpen && query.open !== null && (
            <RatingSheet
              {...asked}
              id={query.open}
              page={page}
              isOld={data.isOld}
              onLeave={(id) => focusRow(id, frame)}
            />
          )}
        </div>
        {page && (
          <div className="ratings-footer">
            <RatingsFooter {...asked} info={page.page} all={page.meta.all}>
              <NewerRatings isShown={data.hasNewer} count={data.newerCount} onShow={showNewer} />
            </RatingsFooter>
          </div>
        )}
      </div>
      <LiveRegion message={data.isOld || data.isFirstStart ? '' : found} />
    </div>
  )
}

const Rail = ({ isOld, children }: { isOld: boolean; children: ReactNode }) => (
  <aside
    id="filters"
    tabIndex={-1}
    aria-label="Filters"
    className={classNames(
      'hidden w-[224px] shrink-0 overflow-y-auto border-r p-3 [scrollbar-width:thin] lg:block wide:w-[256px] wide:p-5',
      isOld && 'dimmed-counts',
    )}
  >
    {children}
  </aside>
)

const BESIDE_SHEET = 'lg:pr-[368px] wide:pr-[444px]'

/** Page number and open rating must not render the filters. */
function useFilters(view: RatingsView): RatingsView {
  const text = toParams(ratingsView, { ...view, page: 1, open: null }).toString()
  return useMemo(() => readLeniently(ratingsView, new URLSearchParams(text)).query, [text])
}

const QUARTER_SECONDS = 900

/** Zone offsets are multiples of a quarter hour, so the day is the same within one. */
const toQuarter = (seconds: number) => seconds - (seconds % QUARTER_SECONDS)

function useDocumentTitle(query: RatingsView) {
  useEffect(() => {
    document.title = toPageTitle(query)
  }, [query])
}

const SIZES = [25, 50, 100, 250, 500]

type RatingsFooterProps = QueryProps & {
  info: PageInfo
  all: number
  children?: ReactNode
}

function RatingsFooter({ query, change, info, all, children }: RatingsFooterProps) {
  const sizes = [...new Set([...SIZES, query.per_page])].sort((a, b) => a - b)
  return (
    <Pager
      number={query.page}
      pages={info.pages}
      total={info.total}
      size={query.per_page}
      most={all}
      hrefFor={(page) => toRatingsHref(withPage(query, page))}
      onPage={(page) => {
        if (window.matchMedia('(width < 40rem)').matches) window.scrollTo({ top: 0 })
        change((last) => withPage(last, page))
      }}
    >
      <span className="flex flex-wrap items-center gap-2">
        {children}
        <Select
          label="Rows per page"
          labelHidden
          value={String(query.per_page)}
          options={sizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
          onChange={({ target }) => {
            change((last) => withPerPage(last, Number(target.value)))
          }}
        />
      </span>
    </Pager>
  )
}

function useRatingsQuery() {
  const client = useQueryClient()
  const { params, setQuery, query: asked, ignored: refused } = useUrlQuery(ratingsView)
  const { query, ignored } = useMemo(
    () => withKnownColumns({ query: asked, ignored: refused }),
    [asked, refused],
  )
  const change = useCallback<ChangeQuery>(
    (to, how) =>
      setQuery((given) => {
        const current = { ...given, columns: knownColumns(given.columns, COLUMN_IDS) }
        const next = to(current)
        // Prefetches before rendering. Existing rows are not refetched: they must not move.
        if (toParams(ratingsQuery, next).toString() !== toParams(ratingsQuery, given).toString()) {
          void client.prefetchQuery(ratingsOptions(next))
          void client.prefetchQuery(facetsOptions(next))
        }
        return next
      }, how),
    [client, setQuery],
  )
  return { query, ignored, params, change }
}

type Read = { query: RatingsView; ignored: Issue[] }

function withKnownColumns({ query, ignored }: Read): Read {
  const unknown = query.columns.filter((name) => !isColumnId(name))
  if (unknown.length === 0) return { query, ignored }
  const message = `holds ${unknown.slice(0, 3).join(', ')}, which is not a column`
  return {
    query: { ...query, columns: knownColumns(query.columns, COLUMN_IDS) },
    ignored: [...ignored, { parameter: 'columns', message }],
  }
}

const STILL = {
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  refetchInterval: false,
} as const

/** `page` belongs to an earlier query while `isOld`. */
function useRatingsData(query: RatingsQuery) {
  const client = useQueryClient()
  const rows = useQuery({ ...ratingsOptions(query), ...STILL })
  const counts = useQuery({ ...facetsOptions(query), ...STILL })
  const status = useQuery(statusSummaryOptions()).data
  const page = useLast(rows.data)
  const facets = useLast(counts.data)?.data

  const refresh = useCallback(() => {
    void client.invalidateQueries({ queryKey: ['ratings'] })
    void client.invalidateQueries({ queryKey: ['facets'] })
  }, [client])

  const isNotReady = rows.error instanceof ApiError && rows.error.type === 'not_ready'
  const isFirstStart = page ? page.meta.all === 0 : isNotReady
  const hasNewer = (status?.archive.generation ?? 0) > (page?.meta.generation ?? 0)
  useEffect(() => {
    if (isFirstStart && hasNewer) refresh()
  }, [isFirstStart, hasNewer, refresh])

  const isOffered = hasNewer && query.asof === null && !isFirstStart && !rows.isFetching
  const newerCount = useNewerCount(query, { archive: status?.archive, page, isAsked: isOffered })

  return {
    page: isFirstStart ? undefined : page,
    facets: isFirstStart ? undefined : facets,
    status,
    error: rows.error,
    countsError: counts.error,
    isOld: page !== undefined && (rows.isPlaceholderData || rows.data === undefined),
    isFirstStart,
    hasNewer: isOffered && newerCount !== 0,
    newerCount,
    refresh,
  }
}

function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
