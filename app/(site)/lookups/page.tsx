import type { Metadata } from 'next'
import { LookupsScreen } from '#components/lookups/lookups-screen.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { lookupList } from '#lib/contract/lists/lookups.ts'
import { lookupQuestions } from '#lib/contract/operations/ratings.ts'
import { toUrlParams } from '#lib/contract/page-addresses.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../hydrated.tsx'
import { toListTitle } from '../../page-metadata.ts'
import { prefetchList } from '../../prefetch-list.ts'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return {
    title: toListTitle(lookupList, await searchParams),
    description: 'How often, when and where symbols were looked up in trading rooms.',
  }
}

export default async function LookupsRoute({ searchParams }: Props) {
  await requireAccess()
  const params = toUrlParams(await searchParams)
  const queryClient = createQueryClient()
  await prefetchList(
    queryClient,
    { page: lookupQuestions.lookups, facets: lookupQuestions.lookupFacets },
    params,
  )
  return (
    <PageBody>
      <Hydrated client={queryClient}>
        <LookupsScreen />
      </Hydrated>
    </PageBody>
  )
}
