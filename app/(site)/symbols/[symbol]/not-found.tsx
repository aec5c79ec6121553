import { UnknownSymbol } from '#components/symbols/unknown-symbol.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'

export default function SymbolNotFound() {
  return (
    <PageBody>
      <UnknownSymbol />
    </PageBody>
  )
}
