import type { Metadata } from 'next'
import { toTimedTitle } from '#components/format/instants.ts'
import { isMap, mapView } from '#components/symbols/map/map-view.ts'
import { SymbolMapScreen } from '#components/symbols/map/symbol-map-screen.tsx'
import { SymbolsScreen } from '#components/symbols/symbols-screen.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { moversOptions, symbolMapOptions, symbolsOptions } from '#lib/client/symbol-options.ts'
import { readAsOf } from '#lib/contract/api-queries.ts'
import { symbolsQuery } from '#lib/contract/lists/symbols.ts'
import { toUrlParams } from '#lib/contract/page-addresses.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../../hydrated.tsx'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const params = toUrlParams(await searchParams)
  return {
    title: toTimedTitle(isMap(params) ? 'Map of symbols' : 'Symbols', readAsOf(params)),
    description:
      'Every symbol that the community rates: its consensus, how that changed, and over how many ratings.',
  }
}

export default async function SymbolsPage({ searchParams }: Props) {
  await requireAccess()
  const given = toUrlParams(await searchParams)
  const queryClient = createQueryClient()
  if (isMap(given)) {
    const { days, asof } = readLeniently(mapView, given).query
    await queryClient.prefetchQuery(symbolMapOptions({ days, asof }, fetchInProcess))
    return (
      <PageBody>
        <Hydrated client={queryClient}>
          <SymbolMapScreen />
        </Hydrated>
      </PageBody>
    )
  }
  const { query } = readLeniently(symbolsQuery, given)
  const params = toParams(symbolsQuery, query)
  await Promise.all([
    queryClient.prefetchQuery(symbolsOptions(params, fetchInProcess)),
    queryClient.prefetchQuery(moversOptions(query.asof, fetchInProcess)),
  ])
  return (
    <PageBody>
      <Hydrated client={queryClient}>
        <SymbolsScreen />
      </Hydrated>
    </PageBody>
  )
}
