import { UnknownSymbol } from '#components/symbols/unknown-symbol.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import { toPathText } from '#lib/contract/path-part.ts'
import { readPagePath } from '#lib/server/gate/request-context.ts'
import { loadNearSymbols } from '../../../presence.ts'

export default async function SymbolNotFound() {
  const path = readPagePath()
  return (
    <PageBody>
      <UnknownSymbol near={await loadNearSymbols(toPathText(path.split('/').at(-1) ?? ''))} />
    </PageBody>
  )
}
