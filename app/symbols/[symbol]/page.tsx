import { dehydrate, HydrationBoundary, type QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { connection } from 'next/server'
import { toPathText } from '#components/address/path-text.ts'
import { toUrlParams } from '#components/address/to-url-params.ts'
import { ArrivalPage } from '#components/answer/arrival-page.tsx'
import { toAbsence } from '#components/answer/presence.ts'
import { toLatestQuery } from '#components/profile/latest-query.ts'
import { PageBody } from '#components/shell/page-body.tsx'
import { createQueryClient } from '#components/shell/query-client.ts'
import { readSeriesView, toSeriesParams } from '#components/symbols/series-address.ts'
import { ratingsOfSymbol, toSymbolHref } from '#components/symbols/symbol-address.ts'
import { SymbolScreen } from '#components/symbols/symbol-screen.tsx'
import { ratingsOptions, seriesOptions, symbolOptions } from '#lib/client/query-options.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { fetchInProcess } from '#lib/server/fetch-api.ts'

type Props = {
  params: Promise<{ symbol: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: toPathText((await params).symbol).toUpperCase() }
}

// No loading.tsx here or above: what is shown while waiting would be sent with a 200, and an unknown symbol is a 404.
export default async function SymbolPage({ params, searchParams }: Props) {
  await connection()
  const asked = toPathText((await params).symbol)
  const given = toUrlParams(await searchParams)
  const queryClient = createQueryClient()
  const [presence] = await Promise.all([
    loadPresence(asked, queryClient),
    queryClient.prefetchQuery(
      seriesOptions(asked, toSeriesParams(readSeriesView(given).view), fetchInProcess),
    ),
    queryClient.prefetchQuery(
      ratingsOptions(toLatestQuery(ratingsOfSymbol(asked)), fetchInProcess),
    ),
  ])
  if (presence.state === 'unknown') notFound()
  if (presence.symbol !== asked) redirect(`${toSymbolHref(presence.symbol)}${toQueryText(given)}`)
  return (
    <PageBody className="max-w-[1760px]">
      {presence.state === 'waiting' ? (
        <ArrivalPage title={asked} />
      ) : (
        <HydrationBoundary state={dehydrate(queryClient)}>
          <SymbolScreen key={asked} symbol={asked} />
        </HydrationBoundary>
      )}
    </PageBody>
  )
}

/** Whether the symbol is there, and how its ratings spell it. */
async function loadPresence(asked: string, queryClient: QueryClient) {
  try {
    const { data } = await queryClient.fetchQuery(symbolOptions(asked, fetchInProcess))
    return { state: 'there', symbol: data.symbol } as const
  } catch (error) {
    return { state: await toAbsence(error, queryClient, fetchInProcess), symbol: asked }
  }
}
