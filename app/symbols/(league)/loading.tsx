import { LeaguePageSkeleton } from '#components/league/league-page-skeleton.tsx'
import { PageBody } from '#components/shell/page-body.tsx'

export default function SymbolsLoading() {
  return (
    <PageBody className="max-w-[1200px]">
      <LeaguePageSkeleton name="Symbols" />
    </PageBody>
  )
}
