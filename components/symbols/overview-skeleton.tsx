import { LeagueSkeleton } from '#components/league/league-skeleton.tsx'
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

/** A line of a list, as high as what it links must be to be met by a finger. */
const LINE_PX = 24

/** Above the lines of a list its name and over what it is, below them some air. */
const AROUND_PX = 50

/** As high as the overview that will stand there. */
export function OverviewSkeleton() {
  return (
    <div
      aria-busy
      className="overview-skeleton"
      style={{ height: AROUND_PX + OVERVIEW_LINES * LINE_PX }}
    >
      <p className="sr-only">The overview is loading.</p>
    </div>
  )
}
