'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { PageBody } from '#components/shell/page-body.tsx'
import { ZoneControl } from '#components/time/zone-control.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { useNow } from '#components/ui/use-now.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import type { Status } from '#lib/contract/answers/status.ts'
import { Alarms } from './alarms.tsx'
import { BudgetPanel } from './budget-panel.tsx'
import { CompletenessPanel } from './completeness-panel.tsx'
import { EditionsPanel } from './editions-panel.tsx'
import { EventLogPanel } from './event-log.tsx'
import { PlanPanel } from './plan-panel.tsx'
import { QuarantinePanel } from './quarantine-panel.tsx'
import { RunsPanel } from './runs-panel.tsx'
import { ServicePanel } from './service-panel.tsx'
import { StatusFigures } from './status-figures.tsx'
import { SyncPanel } from './sync-panel.tsx'

/**
 * What the sync did and will do and why, what may still be asked of the service, what is here and what is not, what was
 * set aside, what happened.
 */
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
      <Alarms alarms={status.alarms} now={now} />
      <SyncPanel sync={status.sync} cost={status.budget.costs.sync} now={now} />
      <StatusFigures status={status} now={now} />
      <div className="grid gap-4 lg:grid-cols-2">
        <PlanPanel plan={status.plan} now={now} />
        <BudgetPanel budget={status.budget} now={now} />
        <CompletenessPanel archive={status.archive} />
        <ServicePanel service={status.service} discovery={status.discovery} />
      </div>
      <RunsPanel runs={status.runs} now={now} />
      <EditionsPanel />
      <QuarantinePanel rows={status.quarantine.rows} />
      <EventLogPanel events={status.events} />
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
