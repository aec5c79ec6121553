import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { connection } from 'next/server'
import { toPageTitle } from '#components/ratings/query-title.ts'
import { RatingsScreen } from '#components/ratings/ratings-screen.tsx'
import { createQueryClient } from '#components/shell/query-client.ts'
import { facetsOptions, ratingsOptions } from '#lib/client/query-options.ts'
import { readRatingsQuery } from '#lib/contract/ratings-query.ts'
import { fetchInProcess } from '#lib/server/fetch-api.ts'

type Given = Record<string, string | string[] | undefined>
type PageProps = { searchParams: Promise<Given> }

const readGiven = (given: Given) => readRatingsQuery(toParams(given)).query

export async function generateMetadata({ searchParams }: PageProps): Promise<Metadata> {
  return { title: { absolute: toPageTitle(readGiven(await searchParams)) } }
}

/** The ratings, with the rows of the address in the first paint. What cannot be read is asked again by the browser. */
export default async function Page({ searchParams }: PageProps) {
  await connection()
  const query = readGiven(await searchParams)
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

/** Next's parameters as those of an address: a name that was given twice stands twice. */
function toParams(given: Given): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value = []] of Object.entries(given)) {
    for (const text of [value].flat()) params.append(name, text)
  }
  return params
}
