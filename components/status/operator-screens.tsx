'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { formatRelative } from '#components/format/instants.ts'
import { formatBytes, formatCounted } from '#components/format/numbers.ts'
import { useMay } from '#components/permissions/use-may.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { LiveRegion, Notice } from '#components/ui/messages.tsx'
import { Card } from '#components/ui/panels.tsx'
import { sendOperation } from '#lib/client/fetch-api.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import type { BackupsReport, PostsImport } from '#lib/contract/answers/status.ts'
import { processOperations } from '#lib/contract/operations/commands.ts'
import { AlertsPanel } from './alerts-panel.tsx'
import { QuarantinePanel } from './archive-panels.tsx'
import { NodesPanel } from './nodes-panel.tsx'
import { NamesPanel, PricesPanel } from './prices-panel.tsx'
import { BudgetPanel, ServicePanel } from './service-panels.tsx'
import { SetAside } from './set-aside.tsx'
import { Alarms, StatusPage } from './status-page.tsx'
import { EventLogPanel, PlanPanel, RunsPanel, SyncPanel } from './sync-panels.tsx'

export const SyncScreen = () => (
  <StatusPage
    path="/status/sync"
    render={({ status, now }) => (
      <>
        <Alarms alarms={status.alarms} now={now} />
        <SyncPanel sync={status.sync} cost={status.budget.costs.sync} now={now} />
        {status.nodes !== null && <NodesPanel nodes={status.nodes} now={now} />}
        <div className="grid gap-4 lg:grid-cols-2 wide:grid-cols-3">
          <PlanPanel plan={status.plan} now={now} />
          <BudgetPanel budget={status.budget} now={now} />
          <ServicePanel service={status.service} discovery={status.discovery} />
        </div>
        <div className="grid gap-4 wide:grid-cols-2 wide:items-start">
          <div className="grid min-w-0 gap-4">
            <RunsPanel runs={status.runs} now={now} />
            <QuarantinePanel rows={status.quarantine.rows} />
            {status.posts_import && <PostsImportPanel imported={status.posts_import} />}
          </div>
          <EventLogPanel events={status.events} />
        </div>
      </>
    )}
  />
)

export const PricesScreen = () => (
  <StatusPage
    path="/status/prices"
    render={({ status: { prices, names, nodes } }) => (
      <>
        {prices && <PricesPanel isOneOfSeveral={nodes !== null} prices={prices} />}
        {names && <NamesPanel names={names} />}
      </>
    )}
  />
)

export const BackupsScreen = () => (
  <StatusPage
    path="/status/backups"
    render={({ status: { backups }, now }) =>
      backups && <BackupsPanel backups={backups} now={now} />
    }
  />
)

export const AlertsScreen = () => (
  <StatusPage path="/status/alerts" render={({ now }) => <AlertsPanel now={now} />} />
)

function PostsImportPanel({ imported }: { imported: PostsImport }) {
  return (
    <Card
      id="posts-import"
      title="Imported ratings"
      detail={
        <>
          {formatCounted(imported.ratings, 'rating')} from{' '}
          <bdi className="wrap-anywhere">{imported.file}</bdi>, read{' '}
          <Instant seconds={imported.read_at} />
        </>
      }
    >
      {imported.ratings === 0 && imported.set_aside > 0 && (
        <Notice tone="failure" title="No rating could be read">
          <p>Correct the file, delete the service folder in DATA_DIR, and start again.</p>
        </Notice>
      )}
      {imported.doubled > 0 && (
        <p className="text-ink-3">
          {formatCounted(imported.doubled, 'line')} repeated an id: the last line of each id counts.
        </p>
      )}
      <SetAside lines={imported} label="Ratings set aside" />
    </Card>
  )
}

type BackupsPanelProps = {
  backups: BackupsReport
  /** Seconds since 1970, server's clock. */
  now: number
}

function BackupsPanel({ backups, now }: BackupsPanelProps) {
  const makeNow = useBackupNow()
  const mayAsk = useMay('sync')
  const { kept, failure, is_running: isRunning } = backups
  return (
    <Card
      id="backups"
      title="Backups"
      detail={<Schedule backups={backups} now={now} />}
      action={
        mayAsk && (
          <Button
            size="small"
            onClick={() => makeNow.mutate()}
            disabled={makeNow.isPending || isRunning}
          >
            {isRunning ? 'Backing up…' : 'Back up now'}
          </Button>
        )
      }
    >
      {failure && (
        <Notice tone="failure" title="The last backup failed">
          <Instant seconds={failure.at} />: {failure.reason}
        </Notice>
      )}
      {makeNow.isError && (
        <Notice tone="failure" title="The backup could not be started">
          {makeNow.error.message}
        </Notice>
      )}
      {kept.length === 0 ? (
        <p className="text-ink-3">There is no backup yet.</p>
      ) : (
        <ul aria-label="Backups" className="flex flex-col">
          {kept.map(({ name, made_at, files, bytes }) => (
            <li
              key={name}
              className="flex flex-wrap justify-between gap-x-4 border-t py-2 first:border-t-0 first:pt-0 last:pb-0"
            >
              <Instant seconds={made_at} />
              <span className="text-ink-3">
                {formatBytes(bytes)} · {formatCounted(files, 'file')}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm wrap-anywhere text-ink-3">
        In <bdi>{backups.folder}</bdi>
      </p>
      <LiveRegion message={isRunning ? 'Backup in progress' : ''} />
    </Card>
  )
}

const Schedule = ({ backups: { every_hours, keep, next_at }, now }: BackupsPanelProps) => {
  const kept = `the newest ${keep === 1 ? 'one is' : `${keep} are`} kept`
  if (every_hours === null || next_at === null) return <>made on request; {kept}</>
  return (
    <>
      every {every_hours === 1 ? 'hour' : formatCounted(every_hours, 'hour')}, the next{' '}
      <Instant seconds={next_at}>{next_at > now ? formatRelative(next_at, now) : 'now'}</Instant>;{' '}
      {kept}
    </>
  )
}

function useBackupNow() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => sendOperation(processOperations.requestBackup),
    onSettled: () => queryClient.invalidateQueries(statusOptions()),
  })
}
