import { LeaguePageSkeleton } from '#components/league/league-skeleton.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'

export default function UsersLoading() {
  return (
    <PageBody>
      <LeaguePageSkeleton name="Users" />
    </PageBody>
  )
}
