import type { QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { ArrivalPage } from '#components/feedback/archive-filling.tsx'
import { toTimedTitle } from '#components/format/instants.ts'
import { toComparedText } from '#components/format/texts.ts'
import { comparedOptions } from '#components/symbols/compare/comparison.ts'
import {
  ratingsInRange,
  readSeriesView,
  toChangesQuery,
  toExtent,
  toMovesSpan,
  withUsualRange,
} from '#components/symbols/series-view.ts'
import { SymbolScreen } from '#components/symbols/symbol-screen.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { latestRatingsOptions, ratingsOptions } from '#lib/client/query-options.ts'
import {
  movesOptions,
  opinionOptions,
  pricesOptions,
  seriesOptions,
} from '#lib/client/symbol-options.ts'
import { readAsOf, seriesQuery } from '#lib/contract/api-queries.ts'
import { toSymbolHref, toUrlParams } from '#lib/contract/page-addresses.ts'
import { toPathText } from '#lib/contract/path-part.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../../hydrated.tsx'
import { loadSymbolMetadata, loadSymbolTitle } from '../../../page-metadata.ts'
import { loadSymbolPresence } from '../../../presence.ts'

type Props = {
  params: Promise<{ symbol: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const symbol = toPathText((await params).symbol)
  const given = toUrlParams(await searchParams)
  const asof = readAsOf(given)
  const { vs } = readSeriesView(given, symbol).view
  const own =
    vs.length > 0 ? toComparedText([toSymbolKey(symbol), ...vs]) : await loadSymbolTitle(symbol)
  const title = toTimedTitle(own, asof)
  return await loadSymbolMetadata(title, { symbol, asof })
}

async function prefetchPrices(client: QueryClient, symbol: string, params: URLSearchParams) {
  const options = pricesOptions(symbol, params, fetchInProcess)
  const found = await client.fetchQuery(options).catch(() => null)
  if (found === null || found.data.prices === 0)
    client.removeQueries({ queryKey: options.queryKey })
}

// No loading.tsx here or above: it would send status 200 before a 404 is known.
export default async function SymbolPage({ params, searchParams }: Props) {
  await requireAccess()
  const asked = toPathText((await params).symbol)
  const given = toUrlParams(await searchParams)
  const { view: askedView } = readSeriesView(given, asked)
  const { asof } = askedView
  const queryClient = createQueryClient()
  const prefetchShown = async () => {
    const { extent, ...presence } = await loadSymbolPresence(asked, queryClient)
    if (extent === null) return presence
    const shown = toExtent(extent, asof)
    const view = withUsualRange(askedView, shown)
    await Promise.all([
      queryClient.prefetchQuery(seriesOptions(asked, toParams(seriesQuery, view), fetchInProcess)),
      prefetchPrices(queryClient, asked, toParams(seriesQuery, view)),
      queryClient.prefetchQuery(latestRatingsOptions(ratingsInRange(asked, view), fetchInProcess)),
      view.why === 'range' &&
        queryClient.prefetchQuery(
          movesOptions(
            asked,
            { ...toMovesSpan(view, { ...shown, at: shown.extent.to }), asof },
            fetchInProcess,
          ),
        ),
      view.vs.length > 0 && queryClient.prefetchQuery(comparedOptions(asked, view, fetchInProcess)),
    ])
    return presence
  }
  // These queries fail before the first rating and are then not sent.
  const [presence] = await Promise.all([
    prefetchShown(),
    queryClient.prefetchQuery(opinionOptions(asked, asof, fetchInProcess)),
    queryClient.prefetchQuery(ratingsOptions(toChangesQuery(asked, asof), fetchInProcess)),
    ...askedView.vs.map((other) =>
      queryClient.prefetchQuery(opinionOptions(other, asof, fetchInProcess)),
    ),
  ])
  if (presence.state === 'unknown') notFound()
  if (presence.symbol !== asked) redirect(toSymbolHref(presence.symbol, given))
  return (
    <PageBody className="symbol-page">
      {presence.state === 'waiting' ? (
        <ArrivalPage title={toVisibleText(asked)} />
      ) : (
        <Hydrated client={queryClient}>
          <SymbolScreen key={asked} symbol={asked} />
        </Hydrated>
      )}
    </PageBody>
  )
}
