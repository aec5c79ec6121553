import { toEveryoneHref, toUsersHref } from '#components/address/everyone-address.ts'
import { ZonedLink } from '#components/address/outlook.tsx'
import type { HorizonName } from '#lib/contract/horizons.ts'

type UsersTabsProps = { current: 'users' | 'everyone'; horizon: HorizonName }

export const UsersTabs = ({ current, horizon }: UsersTabsProps) => (
  <nav aria-label="Users" className="flex gap-5 border-b print:hidden">
    <Tab href={toUsersHref(horizon)} isCurrent={current === 'users'} name="Users" />
    <Tab href={toEveryoneHref(horizon)} isCurrent={current === 'everyone'} name="Everyone" />
  </nav>
)

type TabProps = { href: string; isCurrent: boolean; name: string }

const Tab = ({ href, isCurrent, name }: TabProps) => (
  <ZonedLink
    aria-current={isCurrent ? 'page' : undefined}
    className="-mb-px inline-flex h-9 items-center border-b-2 border-transparent font-medium text-ink-2 hover:text-ink aria-[current]:border-ink aria-[current]:text-ink pointer-coarse:h-11"
    href={href}
  >
    {name}
  </ZonedLink>
)
