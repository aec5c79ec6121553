import { PageTabs } from '#components/address/page-tabs.tsx'
import { useMay } from '#components/permissions/use-may.tsx'

const OVERVIEW = { href: '/status', name: 'Overview' } as const

const INSPECTED = [
  { href: '/status/sync', name: 'Sync' },
  { href: '/status/prices', name: 'Prices' },
  { href: '/status/backups', name: 'Backups' },
] as const

const MANAGED = [{ href: '/status/alerts', name: 'Alerts' }] as const

export type StatusPath = (typeof OVERVIEW | (typeof INSPECTED | typeof MANAGED)[number])['href']

/** Only pages that the reader may open; nothing if there is just one. */
export function StatusTabs({ current }: { current: StatusPath }) {
  const mayInspect = useMay('inspect')
  const mayManage = useMay('manage')
  if (!mayInspect) return null
  const tabs = [OVERVIEW, ...INSPECTED, ...(mayManage ? MANAGED : [])]
  return <PageTabs label="Status" current={current} tabs={tabs} />
}
