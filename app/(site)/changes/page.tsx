import type { Metadata } from 'next'
import { ReportScreen } from '#components/changes/report-screen.tsx'
import { toTimedTitle } from '#components/format/instants.ts'
import { PageBody } from '#components/ui/page-layout.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { changesOptions } from '#lib/client/symbol-options.ts'
import { changesQuery, readAsOf } from '#lib/contract/api-queries.ts'
import { toUrlParams } from '#lib/contract/page-addresses.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { CHANGES_FEED } from '#lib/contract/ratings-query.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../hydrated.tsx'
import { toFeedLink } from '../../page-metadata.ts'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return {
    title: toTimedTitle('What changed', readAsOf(toUrlParams(await searchParams))),
    description:
      'What was posted in a week, which consensus moved most and why, and what ends next.',
    alternates: toFeedLink('What changed, week by week', CHANGES_FEED),
  }
}

export default async function ChangesPage({ searchParams }: Props) {
  await requireAccess()
  const { query: view } = readLeniently(changesQuery, toUrlParams(await searchParams))
  const queryClient = createQueryClient()
  await queryClient.prefetchQuery(changesOptions(toParams(changesQuery, view), fetchInProcess))
  return (
    <PageBody>
      <Hydrated client={queryClient}>
        <ReportScreen />
      </Hydrated>
    </PageBody>
  )
}
