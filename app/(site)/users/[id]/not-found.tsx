import { PageBody } from '#components/ui/page-layout.tsx'
import { UnknownUser } from '#components/users/user-absence.tsx'
import { toPathText } from '#lib/contract/path-part.ts'
import { readPagePath } from '#lib/server/gate/request-context.ts'
import { loadNearUsers } from '../../../presence.ts'

export default async function UserNotFound() {
  const path = readPagePath()
  return (
    <PageBody>
      <UnknownUser near={await loadNearUsers(toPathText(path.split('/').at(-1) ?? ''))} />
    </PageBody>
  )
}
