import type { Metadata } from 'next'
import { connection } from 'next/server'
import { toUrlParams } from '#components/address/page-address.ts'
import { toTimedTitle } from '#components/format/instants.ts'
import { LookupsScreen } from '#components/lookups/lookups-screen.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import {
  attentionOverviewOptions,
  lookupFacetsOptions,
  lookupsOptions,
} from '#lib/client/lookups-options.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { lookupsQuery } from '#lib/contract/lists/lookups.ts'
import { readOutlook, splitZone } from '#lib/contract/outlook.ts'
import { readLeniently } from '#lib/contract/query-schema.ts'
import { askInProcess } from '#lib/server/pages/ask-in-process.ts'
import { Hydrated } from '../../hydrated.tsx'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return {
    title: toTimedTitle('Look-ups', readOutlook(toUrlParams(await searchParams))),
    description: 'How often, when and where somebody asked for a symbol in a trading room.',
  }
}

export default async function LookupsRoute({ searchParams }: Props) {
  await connection()
  const { rest } = splitZone(toUrlParams(await searchParams))
  const { query } = readLeniently(lookupsQuery, rest)
  const queryClient = createQueryClient()
  await Promise.all([
    queryClient.prefetchQuery(lookupsOptions(query, askInProcess)),
    queryClient.prefetchQuery(lookupFacetsOptions(query, askInProcess)),
    queryClient.prefetchQuery(attentionOverviewOptions(query.asof, askInProcess)),
  ])
  return (
    <PageBody>
      <Hydrated client={queryClient}>
        <LookupsScreen />
      </Hydrated>
    </PageBody>
  )
}
