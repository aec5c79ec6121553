import { PageBody } from '#components/shell/page-body.tsx'
import { SymbolsPageSkeleton } from '#components/symbols/symbols-page-skeleton.tsx'

export default function SymbolsLoading() {
  return (
    <PageBody className="max-w-[1760px]">
      <SymbolsPageSkeleton />
    </PageBody>
  )
}
