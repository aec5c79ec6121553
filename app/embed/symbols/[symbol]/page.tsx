import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { EmbedWaiting } from '#components/embed/embed-absence.tsx'
import { readEmbedAddress } from '#components/embed/embed-frame.tsx'
import { comparedOptions } from '#components/symbols/compare/comparison.ts'
import { EmbeddedComparison, EmbeddedSymbol } from '#components/symbols/embedded-symbol.tsx'
import { readSeriesView } from '#components/symbols/series-view.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { opinionOptions, seriesOptions, symbolOptions } from '#lib/client/symbol-options.ts'
import { seriesQuery } from '#lib/contract/api-queries.ts'
import { toSymbolEmbedHref, toUrlParams } from '#lib/contract/page-addresses.ts'
import { toPathText } from '#lib/contract/path-part.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../../hydrated.tsx'
import { loadSymbolPresence } from '../../../presence.ts'

type Props = {
  params: Promise<{ symbol: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: toVisibleText(toSymbolKey(toPathText((await params).symbol))) }
}

// No loading.tsx here or above: an unknown symbol is a 404.
export default async function EmbedSymbolPage({ params, searchParams }: Props) {
  await requireAccess()
  const asked = toPathText((await params).symbol)
  const given = toUrlParams(await searchParams)
  const address = readEmbedAddress(given)
  const read = readSeriesView(address.chart, asked)
  const { view } = read
  const ignored = [...address.ignored, ...read.ignored]
  const queryClient = createQueryClient()
  const [presence] = await Promise.all([
    loadSymbolPresence(asked, queryClient),
    ...(view.vs.length > 0
      ? [queryClient.prefetchQuery(comparedOptions(asked, view, fetchInProcess))]
      : [
          queryClient.prefetchQuery(opinionOptions(asked, null, fetchInProcess)),
          queryClient.prefetchQuery(
            seriesOptions(asked, toParams(seriesQuery, view), fetchInProcess),
          ),
        ]),
  ])
  if (presence.state === 'unknown') notFound()
  if (presence.symbol !== asked) redirect(toSymbolEmbedHref(presence.symbol, given))
  if (presence.state === 'waiting') return <EmbedWaiting title={toVisibleText(asked)} />
  const known = queryClient.getQueryData(symbolOptions(asked).queryKey)
  return (
    <Hydrated client={queryClient}>
      {view.vs.length > 0 ? (
        <EmbeddedComparison ignored={ignored} symbol={asked} view={view} />
      ) : (
        <EmbeddedSymbol
          first={known?.meta.first_created_at ?? 0}
          ignored={ignored}
          symbol={asked}
          view={view}
        />
      )}
    </Hydrated>
  )
}
