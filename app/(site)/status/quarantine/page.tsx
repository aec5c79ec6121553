import type { Metadata } from 'next'
import { QuarantineScreen } from '#components/status/quarantine-screen.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { quarantineList } from '#lib/contract/lists/quarantine.ts'
import { inspectionQuestions } from '#lib/contract/operations/inspection.ts'
import { toUrlParams } from '#lib/contract/page-addresses.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../../hydrated.tsx'
import { toListTitle } from '../../../page-metadata.ts'
import { prefetchList } from '../../../prefetch-list.ts'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return {
    title: toListTitle(quarantineList, await searchParams),
    description: 'Rows from the service that could not be read as ratings, each with its reason.',
  }
}

export default async function QuarantineRoute({ searchParams }: Props) {
  await requireAccess()
  const queryClient = createQueryClient()
  await prefetchList(
    queryClient,
    { page: inspectionQuestions.quarantine, facets: inspectionQuestions.quarantineFacets },
    toUrlParams(await searchParams),
  )
  return (
    <PageBody>
      <Hydrated client={queryClient}>
        <QuarantineScreen />
      </Hydrated>
    </PageBody>
  )
}
