import { LeaguePageSkeleton } from '#components/league/league-page-skeleton.tsx'
import { PageBody } from '#components/shell/page-body.tsx'

export default function UsersLoading() {
  return (
    <PageBody className="max-w-[1760px]">
      <LeaguePageSkeleton name="Users" />
    </PageBody>
  )
}
