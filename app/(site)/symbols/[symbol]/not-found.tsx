import { headers } from 'next/headers'
import { toPathText } from '#components/address/page-address.ts'
import { UnknownSymbol } from '#components/symbols/unknown-symbol.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import { PAGE_PATH } from '#lib/server/gate/request-policy.ts'
import { loadNearSymbols } from '../../../presence.ts'

export default async function SymbolNotFound() {
  const path = (await headers()).get(PAGE_PATH) ?? ''
  return (
    <PageBody>
      <UnknownSymbol near={await loadNearSymbols(toPathText(path.split('/').at(-1) ?? ''))} />
    </PageBody>
  )
}
