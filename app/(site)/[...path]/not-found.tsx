import { headers } from 'next/headers'
import { toPathText } from '#components/address/page-address.ts'
import { NoSuchPage } from '#components/feedback/no-such-page.tsx'
import { toNearLink } from '#components/symbols/near-symbols.ts'
import { PAGE_PATH } from '#lib/server/gate/request-policy.ts'
import { loadSymbolsLike } from '../../presence.ts'

export default async function PageNotFound() {
  const path = (await headers()).get(PAGE_PATH) ?? ''
  const near = await loadSymbolsLike(toPathText(path.split('/').at(-1) ?? ''))
  return <NoSuchPage near={near.map(toNearLink)} />
}
