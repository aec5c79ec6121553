import { SymbolsPageSkeleton } from '#components/symbols/overview-skeleton.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'

export default function SymbolsLoading() {
  return (
    <PageBody>
      <SymbolsPageSkeleton />
    </PageBody>
  )
}
