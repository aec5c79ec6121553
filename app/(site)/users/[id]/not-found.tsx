import { headers } from 'next/headers'
import { toPathText } from '#components/address/page-address.ts'
import { PageBody } from '#components/ui/page-layout.tsx'
import { UnknownUser } from '#components/users/user-absence.tsx'
import { PAGE_PATH } from '#lib/server/gate/request-policy.ts'
import { loadNearUsers } from '../../../presence.ts'

export default async function UserNotFound() {
  const path = (await headers()).get(PAGE_PATH) ?? ''
  return (
    <PageBody>
      <UnknownUser near={await loadNearUsers(toPathText(path.split('/').at(-1) ?? ''))} />
    </PageBody>
  )
}
