import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { connection } from 'next/server'
import { toUrlParams } from '#components/address/to-url-params.ts'
import { toPageTitle } from '#components/ratings/query-title.ts'
import { RatingsScreen } from '#components/ratings/ratings-screen.tsx'
import { createQueryClient } from '#components/shell/query-client.ts'
import { facetsOptions, ratingsOptions } from '#lib/client/query-options.ts'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import { fetchInProcess } from '#lib/server/fetch-api.ts'

type PageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> }

const readGiven = async ({ searchParams }: PageProps) =>
  readRatingsView(toUrlParams(await searchParams)).query

export async function generateMetadata(props: PageProps): Promise<Metadata> {
  return { title: { absolute: toPageTitle(await readGiven(props)) } }
}

/** The ratings, with the rows of the address in the first paint. What cannot be read is asked again by the browser. */
export default async function Page(props: PageProps) {
  await connection()
  const query = await readGiven(props)
  const queryClient = createQueryClient()
  await Promise.all([
    queryClient.prefetchQuery(ratingsOptions(query, fetchInProcess)),
    queryClient.prefetchQuery(facetsOptions(query, fetchInProcess)),
  ])
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <RatingsScreen />
    </HydrationBoundary>
  )
}
