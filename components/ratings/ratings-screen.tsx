'use client'

import { useEffect, useState } from 'react'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import { ArchiveFilling } from '#components/answer/archive-filling.tsx'
import { formatCounted } from '#components/format/count.ts'
import { LiveRegion } from '#components/ui/live-region.tsx'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { FilterDrawer } from './filter-drawer.tsx'
import { FilterRail } from './filter-rail.tsx'
import { LoadFailure, selectFailure } from './load-failure.tsx'
import { NewerRatings } from './newer-ratings.tsx'
import { toHref } from './query-change.ts'
import { toPageTitle } from './query-title.ts'
import { RatingsBody } from './ratings-body.tsx'
import { RatingsFooter } from './ratings-footer.tsx'
import { RatingsHead } from './ratings-head.tsx'
import { Timeline } from './timeline.tsx'
import { useHiddenColumns } from './use-hidden-columns.ts'
import { useRatingsData } from './use-ratings-data.ts'
import { useRatingsQuery } from './use-ratings-query.ts'

/** The ratings: filters at the left, rows at the right, and the address above both. */
export function RatingsScreen() {
  const { query, change, ignored, params } = useRatingsQuery()
  const data = useRatingsData(query)
  const { page, facets, error, status } = data
  const columns = useHiddenColumns()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  useDocumentTitle(query)
  const asked = { query, change }
  const now = page?.meta.as_of ?? status?.now ?? 0
  const rail = <FilterRail {...asked} facets={facets} now={now} />
  const failure = data.isFirstStart ? null : selectFailure(data)
  const found = page ? formatCounted(page.page.total, 'rating') : ''
  return (
    <div className="flex min-w-0 grow lg:h-[calc(100dvh-52px)] lg:min-h-[560px] lg:grow-0">
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
          <Timeline {...asked} facets={facets} isBlank={data.isFirstStart} />
        )}
        {(page || !error || data.isFirstStart) && (
          <RatingsBody
            {...asked}
            page={page}
            facets={facets}
            hidden={columns.hidden}
            isOld={data.isOld && !error}
            instead={data.isFirstStart ? <ArchiveFilling status={status} /> : undefined}
          />
        )}
        {page && (
          <RatingsFooter {...asked} info={page.page}>
            <NewerRatings isShown={data.hasNewer} onShow={data.refresh} />
          </RatingsFooter>
        )}
      </div>
      <LiveRegion message={data.isOld || data.isFirstStart ? '' : found} />
    </div>
  )
}

/** The tab says what the page shows; the server wrote the first title in the same words. */
function useDocumentTitle(query: RatingsQuery) {
  useEffect(() => {
    document.title = toPageTitle(query)
  }, [query])
}
