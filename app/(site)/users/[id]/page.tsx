import type { QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ArrivalPage } from '#components/feedback/archive-filling.tsx'
import { toTimedTitle } from '#components/format/instants.ts'
import { PageBody } from '#components/ui/page-layout.tsx'
import { UserScreen } from '#components/users/user-screen.tsx'
import { toListedCallsParams, type UserView, userPageQuery } from '#components/users/user-view.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { latestRatingsOptions } from '#lib/client/query-options.ts'
import {
  callsOptions,
  trackOptions,
  userOptions,
  userRatingsOptions,
} from '#lib/client/user-options.ts'
import { readAsOf } from '#lib/contract/api-queries.ts'
import { parseUserId, ratingsOfUser, toUrlParams } from '#lib/contract/page-addresses.ts'
import { toPathText } from '#lib/contract/path-part.ts'
import { readLeniently } from '#lib/contract/query-schema.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../../hydrated.tsx'
import { loadUserMetadata } from '../../../page-metadata.ts'
import { loadUserPresence } from '../../../presence.ts'

type Props = {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const asof = readAsOf(toUrlParams(await searchParams))
  const id = toPathText((await params).id)
  const title = toTimedTitle(`User ${id}`, asof)
  const userId = parseUserId(id)
  return userId === null ? { title } : await loadUserMetadata(title, { userId, asof })
}

/** With the rows: calls where there are prices, otherwise the latest ratings. */
async function loadTrack(userId: number, view: UserView, queryClient: QueryClient) {
  const track = trackOptions(userId, view, fetchInProcess)
  await queryClient.prefetchQuery(track)
  const known = queryClient.getQueryData(track.queryKey)
  if (known === undefined) return
  const latest = ratingsOfUser(userId, view.asof)
  await (known.data.prices.symbols > 0
    ? queryClient.prefetchQuery(callsOptions(toListedCallsParams(userId, view), fetchInProcess))
    : queryClient.prefetchQuery(latestRatingsOptions(latest, fetchInProcess)))
}

// No loading.tsx here or above: it would send status 200 before a 404 is known.
export default async function UserPage({ params, searchParams }: Props) {
  await requireAccess()
  const userId = parseUserId(toPathText((await params).id))
  if (userId === null) notFound()
  const { query: view } = readLeniently(userPageQuery, toUrlParams(await searchParams))
  const { asof } = view
  const queryClient = createQueryClient()
  // These queries fail before the first rating and are then not sent.
  const [presence] = await Promise.all([
    loadUserPresence(userId, queryClient),
    queryClient.prefetchQuery(userOptions(userId, asof, fetchInProcess)),
    queryClient.prefetchQuery(userRatingsOptions(userId, asof, fetchInProcess)),
    loadTrack(userId, view, queryClient),
  ])
  if (presence.state === 'unknown') notFound()
  return (
    <PageBody>
      {presence.state === 'waiting' ? (
        <ArrivalPage title={`User ${userId}`} />
      ) : (
        <Hydrated client={queryClient}>
          <UserScreen key={userId} userId={userId} />
        </Hydrated>
      )}
    </PageBody>
  )
}
