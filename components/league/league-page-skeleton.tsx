import { PageHeader } from '#components/ui/page-header.tsx'
import { LeagueSkeleton } from './league-skeleton.tsx'

const ROWS = 50

/** What a league table's page shows before it has arrived. */
export function LeaguePageSkeleton({ name }: { name: string }) {
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title={name} />
      <LeagueSkeleton name={name} rows={ROWS} />
    </div>
  )
}
