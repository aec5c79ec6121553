import { PageTabs } from '#components/time/page-tabs.tsx'
import type { HorizonName } from '#lib/contract/horizons.ts'
import { toEveryoneHref, toUsersHref } from '#lib/contract/page-addresses.ts'

type UsersTabsProps = { current: 'users' | 'everyone'; horizon: HorizonName }

export function UsersTabs({ current, horizon }: UsersTabsProps) {
  const users = { href: toUsersHref(horizon), name: 'Users' }
  const everyone = { href: toEveryoneHref({ horizon }), name: 'Everyone' }
  return (
    <PageTabs
      label="Users"
      current={(current === 'users' ? users : everyone).href}
      tabs={[users, everyone]}
    />
  )
}
