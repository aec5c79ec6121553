import { toEveryoneHref, toUsersHref } from '#components/address/everyone-address.ts'
import { PageTabs } from '#components/address/page-tabs.tsx'
import type { HorizonName } from '#lib/contract/horizons.ts'

type UsersTabsProps = { current: 'users' | 'everyone'; horizon: HorizonName }

export function UsersTabs({ current, horizon }: UsersTabsProps) {
  const users = { href: toUsersHref(horizon), name: 'Users' }
  const everyone = { href: toEveryoneHref(horizon), name: 'Everyone' }
  return (
    <PageTabs
      label="Users"
      current={(current === 'users' ? users : everyone).href}
      tabs={[users, everyone]}
    />
  )
}
