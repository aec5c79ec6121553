'use client'

import dynamic from 'next/dynamic'
import { Skeleton } from '#components/ui/loading.tsx'
import { QuarantinePanel } from './archive-panels.tsx'
import { BackupsPanel } from './backups-panel.tsx'
import { NodesPanel } from './nodes-panel.tsx'
import { PostsImportPanel } from './posts-import-panel.tsx'
import { NamesPanel, PricesPanel } from './prices-panel.tsx'
import { BudgetPanel, ServicePanel } from './service-panels.tsx'
import { Alarms, StatusPage } from './status-page.tsx'
import { EventLogPanel, PlanPanel, RunsPanel, SyncPanel } from './sync-panels.tsx'

const ALERTS_HEIGHT = 160

const AlertsPanel = dynamic(() => import('./alerts-panel.tsx').then((m) => m.AlertsPanel), {
  ssr: false,
  loading: () => <Skeleton height={ALERTS_HEIGHT} className="rounded-lg" />,
})

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
