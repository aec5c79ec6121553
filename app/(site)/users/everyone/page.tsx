import type { Metadata } from 'next'
import { toTimedTitle } from '#components/format/instants.ts'
import { PageBody } from '#components/ui/page-layout.tsx'
import { CommunityScreen } from '#components/users/track/community-screen.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { communityOptions } from '#lib/client/user-options.ts'
import { readAsOf, trackQuery } from '#lib/contract/api-queries.ts'
import { toUrlParams } from '#lib/contract/page-addresses.ts'
import { readLeniently } from '#lib/contract/query-schema.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../../hydrated.tsx'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return {
    title: toTimedTitle('All users together', readAsOf(toUrlParams(await searchParams))),
    description: 'How often the community was right, by label and by year, judged by prices.',
  }
}

export default async function EveryonePage({ searchParams }: Props) {
  await requireAccess()
  const { query } = readLeniently(trackQuery, toUrlParams(await searchParams))
  const queryClient = createQueryClient()
  await queryClient.prefetchQuery(communityOptions(query, fetchInProcess))
  return (
    <PageBody>
      <Hydrated client={queryClient}>
        <CommunityScreen />
      </Hydrated>
    </PageBody>
  )
}
