import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { parseUserId, toPathText, toUrlParams } from '#components/address/page-address.ts'
import { EmbedWaiting } from '#components/embed/embed-absence.tsx'
import { splitTheme } from '#components/embed/embed-frame.tsx'
import { EmbeddedUser } from '#components/users/embedded-user.tsx'
import { readUserEmbed } from '#components/users/user-embed.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { recordOptions, userOptions, userRatingsOptions } from '#lib/client/user-options.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../../hydrated.tsx'
import { loadUserPresence } from '../../../presence.ts'

type Props = {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `User ${toPathText((await params).id)}` }
}

// No loading.tsx here or above: an unknown user is a 404.
export default async function EmbedUserPage({ params, searchParams }: Props) {
  await requireAccess()
  const userId = parseUserId(toPathText((await params).id))
  if (userId === null) notFound()
  const themed = splitTheme(toUrlParams(await searchParams))
  const { chart, view, ignored } = readUserEmbed(themed.rest)
  const queryClient = createQueryClient()
  const [presence] = await Promise.all([
    loadUserPresence(userId, queryClient),
    queryClient.prefetchQuery(userOptions(userId, view.asof, fetchInProcess)),
    chart === 'activity'
      ? queryClient.prefetchQuery(recordOptions(userId, view.asof, fetchInProcess))
      : queryClient.prefetchQuery(userRatingsOptions(userId, view.asof, fetchInProcess)),
  ])
  if (presence.state === 'unknown') notFound()
  if (presence.state === 'waiting') return <EmbedWaiting title={`User ${userId}`} />
  return (
    <Hydrated client={queryClient}>
      <EmbeddedUser
        chart={chart}
        first={presence.first}
        ignored={[...themed.ignored, ...ignored]}
        now={Math.floor(Date.now() / 1000)}
        userId={userId}
        view={view}
      />
    </Hydrated>
  )
}
