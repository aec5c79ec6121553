import type { Metadata } from 'next'
import { toUrlParams } from '#components/address/page-address.ts'
import { EditionDifferencesScreen } from '#components/changes/edition-differences-screen.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import { editionsOptions } from '#lib/client/edition-options.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { differenceList } from '#lib/contract/lists/edition-differences.ts'
import { differenceQuestions } from '#lib/contract/operations/edition-differences.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../../hydrated.tsx'
import { toListTitle } from '../../../page-metadata.ts'
import { prefetchList } from '../../../prefetch-list.ts'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return {
    title: toListTitle(differenceList, await searchParams),
    description: 'What changed between two weekly dumps of the ratings, row by row.',
  }
}

export default async function EditionDifferencesRoute({ searchParams }: Props) {
  await requireAccess()
  const queryClient = createQueryClient()
  await Promise.all([
    prefetchList(
      queryClient,
      { page: differenceQuestions.differences, facets: differenceQuestions.differenceFacets },
      toUrlParams(await searchParams),
    ),
    queryClient.prefetchQuery(editionsOptions(fetchInProcess)),
  ])
  return (
    <PageBody>
      <Hydrated client={queryClient}>
        <EditionDifferencesScreen />
      </Hydrated>
    </PageBody>
  )
}
