import { PageBody } from '#components/shell/page-body.tsx'
import { UnknownSymbol } from '#components/symbols/unknown-symbol.tsx'

export default function SymbolNotFound() {
  return (
    <PageBody>
      <UnknownSymbol />
    </PageBody>
  )
}
