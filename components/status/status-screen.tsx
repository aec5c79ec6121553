'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { PageBody } from '#components/shell/page-body.tsx'
import { ZoneControl } from '#components/time/zone-control.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { useNow } from '#components/ui/use-now.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import type { Status } from '#lib/contract/answers/state.ts'
import { Quarantine } from './quarantine.tsx'
import { ServiceFacts } from './service-facts.tsx'
import { StatusFigures } from './status-figures.tsx'
import { SyncPanel } from './sync-panel.tsx'

/** What the sync did and will do, what may be asked of the service, what was set aside. */
export function StatusScreen() {
  const status = useQuery(statusOptions())
  return (
    <PageBody className="max-w-[1100px]">
      <PageHeader title="Status" detail="of the archive and its sync" actions={<ZoneControl />} />
      {status.isError && (
        <FailureNotice
          what="The status"
          error={status.error}
          kept={status.data && 'What stands below may be old.'}
          onRetry={() => void status.refetch()}
        />
      )}
      {status.data && <KnownStatus status={status.data.data} />}
      {status.isPending && <StatusSkeleton />}
    </PageBody>
  )
}

function KnownStatus({ status }: { status: Status }) {
  const now = useNow(status.now)
  return (
    <>
      <SyncPanel sync={status.sync} now={now} />
      <StatusFigures status={status} now={now} />
      <ServiceFacts status={status} />
      <Quarantine quarantine={status.quarantine} />
    </>
  )
}

/** The same heights, while nothing is known. */
export const StatusSkeleton = () => (
  <div aria-busy className="flex flex-col gap-4">
    <Skeleton height={110} className="rounded-lg" />
    <Skeleton height={76} className="rounded-lg" />
    <Skeleton height={230} className="rounded-lg" />
    <Skeleton height={62} className="rounded-lg" />
  </div>
)
