'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useZone } from '#components/address/outlook.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatRelative, toZonedDay, toZonedTime, toZoneName } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { useMay } from '#components/permissions/use-may.tsx'
import { InstantButton } from '#components/time/instant.tsx'
import { ZoneControl } from '#components/time/zone-select.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { type Stat, StatStrip } from '#components/ui/panels.tsx'
import { useNow } from '#components/ui/use-browser.ts'
import { WhenInView } from '#components/ui/when-in-view.tsx'
import { statusOptions } from '#lib/client/query-options.ts'
import type { Alarm, Status } from '#lib/contract/answers/status.ts'
import { CompletenessPanel, EditionsPanel, QuarantinePanel } from './archive-panels.tsx'
import { BackupsPanel } from './backups-panel.tsx'
import { describeQuiet } from './freshness.tsx'
import { NodesPanel } from './nodes-panel.tsx'
import { PostsImportPanel } from './posts-import-panel.tsx'
import { NamesPanel, PricesPanel } from './prices-panel.tsx'
import { BudgetPanel, ServicePanel } from './service-panels.tsx'
import { ALARM_WORDS } from './status-texts.ts'
import { EventLogPanel, PlanPanel, RunsPanel, SyncPanel } from './sync-panels.tsx'

const ALERTS_HEIGHT = 160

const AlertsPanel = dynamic(() => import('./alerts-panel.tsx').then((m) => m.AlertsPanel), {
  ssr: false,
  loading: () => <AlertsSkeleton />,
})

const AlertsSkeleton = () => <Skeleton height={ALERTS_HEIGHT} className="rounded-lg" />

export function StatusScreen() {
  const status = useQuery(statusOptions())
  return (
    <PageBody>
      <PageHeader title="Status" detail="Archive and sync" actions={<ZoneControl />} />
      {status.isError && (
        <FailureNotice
          what="The status"
          error={status.error}
          kept={status.data && 'The content below may be out of date.'}
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
  const mayInspect = useMay('inspect')
  const mayManage = useMay('manage')
  if (!mayInspect) return <StatusOutline status={status} now={now} />
  return (
    <>
      <Alarms alarms={status.alarms} now={now} />
      <SyncPanel sync={status.sync} cost={status.budget.costs.sync} now={now} />
      <StatusFigures status={status} now={now} />
      {status.nodes !== null && <NodesPanel nodes={status.nodes} now={now} />}
      <div className="grid gap-4 lg:grid-cols-2 wide:grid-cols-3 vast:grid-cols-4 wide:max-vast:*:odd:first:row-span-2 wide:max-vast:*:last:col-start-3 wide:max-vast:*:last:row-span-2 wide:max-vast:*:last:row-start-1">
        <PlanPanel plan={status.plan} now={now} />
        <BudgetPanel budget={status.budget} now={now} />
        <CompletenessPanel archive={status.archive} />
        <ServicePanel service={status.service} discovery={status.discovery} />
      </div>
      <div className="grid gap-4 wide:grid-cols-2 wide:items-start">
        <div className="grid min-w-0 gap-4">
          <RunsPanel runs={status.runs} now={now} />
          <QuarantinePanel rows={status.quarantine.rows} />
          {status.backups && <BackupsPanel backups={status.backups} now={now} />}
          {status.prices && (
            <PricesPanel isOneOfSeveral={status.nodes !== null} prices={status.prices} />
          )}
          {status.names && <NamesPanel names={status.names} />}
          {status.posts_import && <PostsImportPanel imported={status.posts_import} />}
        </div>
        <div className="grid min-w-0 gap-4">
          <EditionsPanel />
          <EventLogPanel events={status.events} />
        </div>
      </div>
      {mayManage && (
        <div id="alerts">
          <WhenInView before={<AlertsSkeleton />}>
            <AlertsPanel now={now} />
          </WhenInView>
        </div>
      )}
    </>
  )
}

const StatusOutline = ({ status, now }: { status: Status; now: number }) => (
  <>
    <Alarms alarms={status.alarms} now={now} />
    <SyncPanel sync={status.sync} cost={status.budget.costs.sync} now={now} />
    <StatusFigures status={status} now={now} />
    <CompletenessPanel archive={status.archive} />
    <EditionsPanel />
  </>
)

export const StatusSkeleton = () => (
  <div aria-busy className="flex min-h-dvh flex-col gap-4">
    <Skeleton height={110} className="rounded-lg" />
    <Skeleton height={76} className="rounded-lg" />
    <Skeleton height={230} className="rounded-lg" />
    <Skeleton height={62} className="rounded-lg" />
  </div>
)

function Alarms({ alarms, now }: { alarms: readonly Alarm[]; now: number }) {
  if (alarms.length === 0) return null
  const isFailure = ({ kind }: Alarm) => ALARM_WORDS[kind].tone === 'failure'
  const sorted = [...alarms].sort((a, b) => Number(isFailure(b)) - Number(isFailure(a)))
  return (
    <ul aria-label="Alarms" className="flex flex-col gap-2.5">
      {sorted.map(({ kind, since, message }) => (
        <li key={kind}>
          <Notice
            tone={ALARM_WORDS[kind].tone}
            title={ALARM_WORDS[kind].title}
            action={
              <span className="text-ink-3">
                since <InstantButton seconds={since}>{formatRelative(since, now)}</InstantButton>
              </span>
            }
          >
            {message}
          </Notice>
        </li>
      ))}
    </ul>
  )
}

function StatusFigures({ status, now }: { status: Status; now: number }) {
  const { archive, sync, quarantine } = status
  const { formatCount } = useFormats()
  const zone = useZone()
  const stats: Stat[] = [
    {
      term: 'Ratings',
      figure: formatCount(archive.ratings),
      detail: ['in the archive', describeQuiet(archive, now)].filter(Boolean).join(', '),
    },
    {
      term: 'Complete to',
      figure: archive.complete_to === null ? 'not yet' : toZonedTime(archive.complete_to, zone),
      detail:
        archive.complete_to === null ? undefined : (
          <>
            {toZoneName(zone)},{' '}
            <InstantButton seconds={archive.complete_to}>
              {toZonedDay(archive.complete_to, zone)}
            </InstantButton>
          </>
        ),
    },
    {
      term: 'Checked',
      figure: sync.checked_at === null ? 'never' : formatRelative(sync.checked_at, now),
      detail:
        sync.checked_at === null ? undefined : (
          <InstantButton seconds={sync.checked_at}>
            {toZonedTime(sync.checked_at, zone)} {toZoneName(zone)}
          </InstantButton>
        ),
    },
    {
      term: 'Set aside',
      figure: formatCount(quarantine.rows),
      detail: quarantine.rows === 1 ? 'row that is not a rating' : 'rows that are not ratings',
    },
  ]
  return <StatStrip stats={stats} />
}
