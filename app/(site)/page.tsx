import type { Metadata } from 'next'
import { toPageTitle } from '#components/ratings/filters/filter-summary.ts'
import { RatingsScreen } from '#components/ratings/ratings-screen.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import {
  facetsOptions,
  firstRatingOptions,
  ratingOptions,
  ratingsOptions,
} from '#lib/client/query-options.ts'
import { toUrlParams } from '#lib/contract/page-addresses.ts'
import { toRatingsFeed } from '#lib/contract/ratings-query.ts'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../hydrated.tsx'
import { toFeedLink } from '../page-metadata.ts'

type PageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> }

const readGiven = async ({ searchParams }: PageProps) =>
  readRatingsView(toUrlParams(await searchParams)).query

export async function generateMetadata(props: PageProps): Promise<Metadata> {
  const query = await readGiven(props)
  return {
    title: { absolute: toPageTitle(query) },
    description: 'Every rating of the community: filter, sort, chart and export.',
    alternates: toFeedLink('These ratings, the newest first', toRatingsFeed(query)),
  }
}

export default async function Page(props: PageProps) {
  await requireAccess()
  const query = await readGiven(props)
  const queryClient = createQueryClient()
  await Promise.all([
    queryClient.prefetchQuery(ratingsOptions(query, fetchInProcess)),
    queryClient.prefetchQuery(facetsOptions(query, fetchInProcess)),
    query.asof !== null && queryClient.prefetchQuery(firstRatingOptions(fetchInProcess)),
    query.open !== null &&
      queryClient.prefetchQuery(ratingOptions(query.open, query.asof, fetchInProcess)),
  ])
  return (
    <Hydrated client={queryClient}>
      <RatingsScreen />
    </Hydrated>
  )
}
