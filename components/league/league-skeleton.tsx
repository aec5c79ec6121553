import { Skeleton } from '#components/ui/loading.tsx'
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

const WIDTHS = ['38%', '52%', '44%', '60%', '48%']
const HEAD_PX = 32
const ROW_PX = 31

type LeagueSkeletonProps = { name: string; rows: number }

/** As high as the table that will stand there. */
export function LeagueSkeleton({ name, rows }: LeagueSkeletonProps) {
  return (
    <div aria-busy className="overflow-hidden rounded-lg border bg-surface">
      <p className="sr-only">{name} are loading.</p>
      <div aria-hidden className="border-b" style={{ height: HEAD_PX }} />
      <div aria-hidden style={{ height: rows * ROW_PX }}>
        {Array.from({ length: rows }, (_, row) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
            key={row}
            className="grid grid-cols-3 items-center gap-6 border-b px-4 last:border-b-0 sm:grid-cols-6"
            style={{ height: ROW_PX }}
          >
            <Skeleton width={WIDTHS[row % WIDTHS.length]} />
            <Skeleton width="70%" />
            <Skeleton width="60%" />
            <Skeleton className="max-sm:hidden" width="50%" />
            <Skeleton className="max-sm:hidden" width="65%" />
            <Skeleton className="max-sm:hidden" width="80%" />
          </div>
        ))}
      </div>
    </div>
  )
}
