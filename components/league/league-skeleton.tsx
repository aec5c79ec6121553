import { PageHeader } from '#components/ui/page-layout.tsx'

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

const HEAD_PX = 32
const ROW_PX = 31

type LeagueSkeletonProps = { name: string; rows: number }

/** As high as the table that will stand there. Its bars are one drawing: they come and go within a blink. */
export function LeagueSkeleton({ name, rows }: LeagueSkeletonProps) {
  return (
    <div aria-busy className="league-skeleton" style={{ height: HEAD_PX + rows * ROW_PX }}>
      <p className="sr-only">{name} are loading.</p>
    </div>
  )
}
