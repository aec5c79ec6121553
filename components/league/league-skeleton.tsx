import { PageHeader } from '#components/ui/page-layout.tsx'

const ROWS = 50

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

export function LeagueSkeleton({ name, rows }: LeagueSkeletonProps) {
  return (
    <div aria-busy className="league-skeleton" style={{ height: HEAD_PX + rows * ROW_PX }}>
      <p className="sr-only">{name} are loading.</p>
    </div>
  )
}
