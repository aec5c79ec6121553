'use client'

import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import { OutlookHere } from '#components/address/outlook.tsx'
import { FirstSettings } from '#components/columns/kept-settings.ts'
import { useColumns } from '#components/columns/use-columns.ts'
import { ArchiveFilling } from '#components/feedback/archive-filling.tsx'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { LiveRegion } from '#components/ui/messages.tsx'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { FilterDrawer } from './filter-drawer.tsx'
import { FilterRail } from './filter-rail.tsx'
import { LoadFailure, selectFailure } from './load-failure.tsx'
import { NewerRatings } from './newer-ratings.tsx'
import { toHref, withPage } from './query-change.ts'
import { toPageTitle } from './query-title.ts'
import { RatingsBody } from './ratings-body.tsx'
import { RatingsFooter } from './ratings-footer.tsx'
import { RatingsHead } from './ratings-head.tsx'
import { Timeline } from './timeline.tsx'
import { useRatingsData } from './use-ratings-data.ts'
import { useRatingsQuery } from './use-ratings-query.ts'
import { useSame } from './use-same.ts'

const RatingSheet = dynamic(
  async () => (await import('#components/rating/rating-sheet.tsx')).RatingSheet,
  { ssr: false },
)

/**
 * The ratings: filters at the left, rows at the right, and the address above both. `settings` is the text that the
 * reader's browser keeps of the table, as the request brought it.
 */
export function RatingsScreen({ settings }: { settings: string }) {
  const address = useRatingsQuery()
  return (
    <FirstSettings value={settings}>
      <OutlookHere asof={address.query.asof} tz={address.query.tz}>
        <Screen {...address} />
      </OutlookHere>
    </FirstSettings>
  )
}

function Screen({ query, change, ignored, params }: ReturnType<typeof useRatingsQuery>) {
  const data = useRatingsData(query)
  const { page, facets, error, status } = data
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [shows, setShows] = useState(0)
  const formats = useFormats()
  useDocumentTitle(query, formats)
  const asked = { query, change }
  const columns = useColumns(asked)
  const filtered = { query: useSame(toFilters(query)), change }
  const now = toQuarter(page?.meta.as_of ?? status?.now ?? 0)
  const rail = <FilterRail {...filtered} facets={facets} now={now} />
  const failure = data.isFirstStart ? null : selectFailure(data, query.tz)
  const showNewer = () => {
    data.refresh()
    if (query.page > 1) change((q) => withPage(q, 1))
    setShows(shows + 1)
  }
  const found = page ? formats.formatCounted(page.page.total, 'rating') : ''
  return (
    <div className="relative flex min-w-0 grow lg:h-[calc(100dvh-var(--above))] lg:min-h-[560px] lg:grow-0">
      <aside
        aria-label="Filters"
        className="hidden w-[216px] shrink-0 overflow-y-auto border-r p-3 [scrollbar-width:thin] lg:block wide:w-[240px] wide:p-5"
      >
        {!isDrawerOpen && rail}
      </aside>
      {isDrawerOpen && (
        <FilterDrawer done={`Show ${found}`} onClose={() => setDrawerOpen(false)}>
          {rail}
        </FilterDrawer>
      )}
      <div className="flex min-w-0 grow flex-col gap-3 p-4 sm:px-5 lg:px-3 wide:px-5 *:not-[section]:shrink-0">
        <RatingsHead
          {...asked}
          page={page}
          columns={columns}
          onFilters={() => setDrawerOpen(true)}
          hasFailed={error !== null}
          isFirstStart={data.isFirstStart}
        />
        <IgnoredNotice ignored={ignored} params={params} href={toHref(query)} />
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
            columns={columns}
            isOld={data.isOld && !error}
            shows={shows}
            instead={data.isFirstStart ? <ArchiveFilling status={status} /> : undefined}
          />
        )}
        {page && (
          <RatingsFooter {...asked} info={page.page}>
            <NewerRatings isShown={data.hasNewer} count={data.newerCount} onShow={showNewer} />
          </RatingsFooter>
        )}
      </div>
      {query.open !== null && !data.isFirstStart && (
        <RatingSheet {...asked} id={query.open} page={page} isOld={data.isOld} />
      )}
      <LiveRegion message={data.isOld || data.isFirstStart ? '' : found} />
    </div>
  )
}

/** What a turned page and an opened rating leave as it is: what shows only this is not drawn again. */
const toFilters = (view: RatingsView): RatingsView => ({ ...view, page: 1, open: null })

const QUARTER_SECONDS = 900

/** Days begin at whole quarters of an hour in every zone: within one, the last days are the same. */
const toQuarter = (seconds: number) => seconds - (seconds % QUARTER_SECONDS)

/** The tab says what the page shows; the server wrote the first title in the same words. */
function useDocumentTitle(query: RatingsView, formats: Formats) {
  useEffect(() => {
    document.title = toPageTitle(query, formats)
  }, [query, formats])
}
