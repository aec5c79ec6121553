import { LeaguePageSkeleton } from '#components/league/league-page-skeleton.tsx'
import { PageBody } from '#components/shell/page-body.tsx'

export default function SymbolsLoading() {
  return (
    <PageBody>
      <LeaguePageSkeleton name="Symbols" />
    </PageBody>
  )
}
