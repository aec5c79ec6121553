import { LeagueSkeleton } from '#components/league/league-skeleton.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { OVERVIEW_LINES } from '#lib/contract/answers/limits.ts'

const ROWS = 50

/** What the page of symbols shows before it has arrived. */
export function SymbolsPageSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title="Symbols" />
      <div className="rounded-lg border bg-surface">
        <p className="px-4 py-1.5 text-base font-semibold">Overview</p>
        <OverviewSkeleton />
      </div>
      <LeagueSkeleton name="Symbols" rows={ROWS} />
    </div>
  )
}

const LISTS = ['upgraded', 'downgraded', 'moves', 'newest', 'contested', 'cliffs']
const WIDTHS = ['72%', '84%', '66%', '78%', '60%']

/** As high as the overview that will stand there. */
export function OverviewSkeleton() {
  return (
    <div aria-busy className="border-t">
      <p className="sr-only">The overview is loading.</p>
      <div aria-hidden className={STRIP_CLASSES}>
        {LISTS.map((list) => (
          <div className={LIST_CLASSES} key={list}>
            <div className="flex h-9 items-center">
              <Skeleton width="55%" />
            </div>
            {WIDTHS.slice(0, OVERVIEW_LINES).map((width) => (
              <div className="flex items-center" key={width} style={{ height: LINE_PX }}>
                <Skeleton width={width} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

/** A line of a list, as high as what it links must be to be met by a finger. */
export const LINE_PX = 24

/** Six lists in a row, which scrolls where there is no room for them. */
export const STRIP_CLASSES =
  'relative grid auto-cols-[minmax(12.5rem,1fr)] grid-flow-col overflow-x-auto overscroll-x-contain rounded-b-lg [scrollbar-width:thin] focus-visible:outline-offset-[-2px]'

export const LIST_CLASSES =
  'min-w-0 border-l px-3 pt-1.5 pb-2 first:border-l-0 first:pl-4 last:pr-4'
