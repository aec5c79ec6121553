import { PageBody } from '#components/ui/page-layout.tsx'
import { UnknownUser } from '#components/users/user-absence.tsx'

export default function UserNotFound() {
  return (
    <PageBody>
      <UnknownUser />
    </PageBody>
  )
}
