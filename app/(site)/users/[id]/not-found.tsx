import { PageBody } from '#components/shell/page-body.tsx'
import { UnknownUser } from '#components/users/unknown-user.tsx'

export default function UserNotFound() {
  return (
    <PageBody>
      <UnknownUser />
    </PageBody>
  )
}
