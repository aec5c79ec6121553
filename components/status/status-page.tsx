'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatRelative } from '#components/format/instants.ts'
import { useMay } from '#components/permissions/use-may.tsx'
import { Instant } from '#components/time/instant.tsx'
import { PageTabs } from '#components/time/page-tabs.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { useNow } from '#components/ui/use-browser.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import type { Alarm, Status } from '#lib/contract/answers/status.ts'
import { ALARM_WORDS } from './status-texts.ts'

export type CurrentStatus = {
  status: Status
  /** Seconds since 1970, server's clock. */
  now: number
}

type StatusPageProps = { path: StatusPath; render: (known: CurrentStatus) => ReactNode }

export function StatusPage({ path, render }: StatusPageProps) {
  const status = useQuery(statusOptions())
  return (
    <PageBody>
      <PageHeader title="Status" />
      <StatusTabs current={path} />
      {status.isError && (
        <FailureNotice
          what="The status"
          error={status.error}
          kept={status.data && 'The content below may be out of date.'}
          onRetry={() => void status.refetch()}
        />
      )}
      {status.data && <WithNow render={render} status={status.data.data} />}
      {status.isPending && <StatusSkeleton />}
    </PageBody>
  )
}

const WithNow = ({ status, render }: Pick<StatusPageProps, 'render'> & { status: Status }) =>
  render({ status, now: useNow(status.now) })

const StatusSkeleton = () => (
  <div aria-busy className="flex min-h-dvh flex-col gap-4">
    <Skeleton height={84} className="rounded-lg" />
    <Skeleton height={110} className="rounded-lg" />
    <Skeleton height={230} className="rounded-lg" />
  </div>
)

type AlarmsProps = { alarms: readonly Alarm[]; now: number }

export function Alarms({ alarms, now }: AlarmsProps) {
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
                since <Instant seconds={since}>{formatRelative(since, now)}</Instant>
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

const OVERVIEW = { href: '/status', name: 'Overview' } as const

const INSPECTED = [
  { href: '/status/sync', name: 'Sync' },
  { href: '/status/prices', name: 'Prices' },
  { href: '/status/backups', name: 'Backups' },
] as const

const MANAGED = [{ href: '/status/alerts', name: 'Alerts' }] as const

type StatusPath = (typeof OVERVIEW | (typeof INSPECTED | typeof MANAGED)[number])['href']

/** Only pages that the reader may open; nothing if there is just one. */
function StatusTabs({ current }: { current: StatusPath }) {
  const mayInspect = useMay('inspect')
  const mayManage = useMay('manage')
  if (!mayInspect) return null
  const tabs = [OVERVIEW, ...INSPECTED, ...(mayManage ? MANAGED : [])]
  return <PageTabs label="Status" current={current} tabs={tabs} />
}
