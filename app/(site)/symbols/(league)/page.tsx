import type { Metadata } from 'next'
import { connection } from 'next/server'
import { toUrlParams } from '#components/address/page-address.ts'
import { toTimedTitle } from '#components/format/instants.ts'
import { SymbolsScreen } from '#components/symbols/symbols-screen.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import { attentionOverviewOptions } from '#lib/client/lookups-options.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { overviewOptions, symbolsOptions } from '#lib/client/symbol-options.ts'
import { symbolsQuery } from '#lib/contract/api-queries.ts'
import { readOutlook } from '#lib/contract/outlook.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { askInProcess } from '#lib/server/pages/ask-in-process.ts'
import { Hydrated } from '../../../hydrated.tsx'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return {
    title: toTimedTitle('Symbols', readOutlook(toUrlParams(await searchParams))),
    description:
      'Every symbol that the community rates: its consensus, how that changed, and over how many ratings.',
  }
}

export default async function SymbolsPage({ searchParams }: Props) {
  await connection()
  const { query } = readLeniently(symbolsQuery, toUrlParams(await searchParams))
  const params = toParams(symbolsQuery, query)
  const queryClient = createQueryClient()
  await Promise.all([
    queryClient.prefetchQuery(symbolsOptions(params, askInProcess)),
    queryClient.prefetchQuery(overviewOptions(query.asof, askInProcess)),
    queryClient.prefetchQuery(attentionOverviewOptions(query.asof, askInProcess)),
  ])
  return (
    <PageBody>
      <Hydrated client={queryClient}>
        <SymbolsScreen />
      </Hydrated>
    </PageBody>
  )
}
