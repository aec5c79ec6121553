import type { Metadata } from 'next'
import { selectChips, toFilteredTitle } from '#components/format/filter-words.ts'
import { formatDay, toTimedTitle } from '#components/format/instants.ts'
import { toNamedText } from '#components/format/texts.ts'
import { toVerdictTexts } from '#components/symbols/verdict-text.ts'
import { toUserTexts } from '#components/users/user-texts.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { opinionOptions, symbolOptions } from '#lib/client/symbol-options.ts'
import { userOptions } from '#lib/client/user-options.ts'
import { readAsOf } from '#lib/contract/api-queries.ts'
import { withBase } from '#lib/contract/base-path.ts'
import type { AnyList, ListPage } from '#lib/contract/lists/define-list.ts'
import { ratingsOfSymbol, toUrlParams } from '#lib/contract/page-addresses.ts'
import { toPathPart } from '#lib/contract/path-part.ts'
import { type Parameters, type QuerySchema, readLeniently } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toRatingsFeed } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { processEnv } from '#lib/server/environment/env.ts'
import { readPagePath, selectContext } from '#lib/server/gate/request-context.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { loadIsInvented } from './status.ts'

export const DESCRIPTION = 'What a community thinks of each symbol, and how that changes.'

/** `path`: with base path, without query. */
export function readPublicAddress(): { origin: URL; path: string; isIndexed: boolean } {
  const parsed = processEnv()
  return {
    origin: selectContext()?.origin ?? new URL('http://localhost'),
    path: withBase(readPagePath()),
    isIndexed: parsed.ok && parsed.env.isIndexed,
  }
}

type Picture = { url: string; alt: string }

const EVERY_PAGE: Picture = { url: withBase('/link-preview.png'), alt: 'Bellwether' }

export const toOpenGraph = (
  path: string,
  picture: Picture = EVERY_PAGE,
): Metadata['openGraph'] => ({
  type: 'website',
  siteName: 'Bellwether',
  url: path,
  images: [{ ...picture, width: 1200, height: 630 }],
})

type PagedList<P extends Parameters> = AnyList & { page: ListPage; query: QuerySchema<P> }

/** `source slack · Look-ups` */
export function toListTitle<P extends Parameters>(
  list: PagedList<P>,
  given: Record<string, string | string[] | undefined>,
): string {
  const params = toUrlParams(given)
  const { query } = readLeniently(list.query, params)
  const chips = selectChips(list, query)
  return toTimedTitle(toFilteredTitle(chips, list.page.title), readAsOf(params))
}

export async function loadSymbolTitle(symbol: string): Promise<string> {
  const found = await createQueryClient()
    .fetchQuery(symbolOptions(symbol, fetchInProcess))
    .catch(() => null)
  return toNamedText(toSymbolKey(symbol), found?.data.name ?? null)
}

export async function loadSymbolMetadata(
  title: string,
  { symbol, asof }: { symbol: string; asof: number | null },
): Promise<Metadata> {
  const queryClient = createQueryClient()
  const [opinion, isInvented] = await Promise.all([
    queryClient.fetchQuery(opinionOptions(symbol, asof, fetchInProcess)).catch(() => null),
    loadIsInvented(),
  ])
  if (opinion === null) return { title }
  const texts = toVerdictTexts(opinion.data)
  const name = opinion.data.symbol
  return await toPictured({
    title,
    alternates: toFeedLink(
      `Ratings of ${toVisibleText(name)}`,
      toRatingsFeed(ratingsOfSymbol(name)),
    ),
    description: toDescription(texts, { asof, isInvented }),
    // The picture shows current data only.
    ...(asof === null && {
      picture: {
        url: withBase(`/api/previews/symbols/${toPathPart(opinion.data.symbol)}.png`),
        alt: `Consensus of ${toVisibleText(opinion.data.symbol)}`,
      },
    }),
  })
}

export async function loadUserMetadata(
  title: string,
  { userId, asof }: { userId: number; asof: number | null },
): Promise<Metadata> {
  const queryClient = createQueryClient()
  const [user, isInvented] = await Promise.all([
    queryClient.fetchQuery(userOptions(userId, asof, fetchInProcess)).catch(() => null),
    loadIsInvented(),
  ])
  if (user === null) return { title }
  return await toPictured({
    title,
    alternates: toFeedLink(`Ratings of user ${userId}`, toRatingsFeed({ user: only(userId) })),
    description: toDescription(toUserTexts(user.data), { asof, isInvented }),
  })
}

export function toFeedLink(title: string, path: string): Metadata['alternates'] {
  const { path: page, isIndexed } = readPublicAddress()
  return {
    ...(isIndexed ? { canonical: page } : {}),
    types: { 'application/atom+xml': [{ title, url: withBase(path) }] },
  }
}

type PageState = { asof: number | null; isInvented: boolean }

const toDescription = (texts: readonly string[], { asof, isInvented }: PageState): string =>
  [
    asof === null ? texts.join(' ') : `On ${formatDay(asof)}: ${texts.join(' ')}`,
    ...(isInvented ? ['Demo data, invented.'] : []),
  ].join(' ')

type Pictured = Pick<Metadata, 'alternates'> & {
  title: string
  description: string
  picture?: Picture
}

async function toPictured({
  title,
  description,
  picture,
  alternates,
}: Pictured): Promise<Metadata> {
  const { path } = readPublicAddress()
  return { title, description, alternates, openGraph: toOpenGraph(path, picture) }
}
