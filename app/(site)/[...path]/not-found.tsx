import { NoSuchPage } from '#components/feedback/no-such-page.tsx'
import { toNearLink } from '#components/symbols/near-symbols.ts'
import { toPathText } from '#lib/contract/path-part.ts'
import { readPagePath } from '#lib/server/gate/request-context.ts'
import { loadSymbolsLike } from '../../presence.ts'

export default async function PageNotFound() {
  const path = readPagePath()
  const near = await loadSymbolsLike(toPathText(path.split('/').at(-1) ?? ''))
  return <NoSuchPage near={near.map(toNearLink)} />
}
