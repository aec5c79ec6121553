import { LeagueSkeleton } from '#components/league/league-skeleton.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { OverviewSkeleton } from './overview-skeleton.tsx'

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
