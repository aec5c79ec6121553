import type { QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { ArrivalPage } from '#components/feedback/archive-filling.tsx'
import { toAbsence } from '#components/feedback/presence.ts'
import { toTimedTitle } from '#components/format/instants.ts'
import { RatingScreen } from '#components/rating/rating-screen.tsx'
import { toRatingDescription, toRatingTitle } from '#components/rating/rating-texts.ts'
import { PageBody } from '#components/ui/page-layout.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { ratingOptions } from '#lib/client/query-options.ts'
import { readAsOf } from '#lib/contract/api-queries.ts'
import { toUrlParams } from '#lib/contract/page-addresses.ts'
import { toPathText } from '#lib/contract/path-part.ts'
import { parseRatingId } from '#lib/contract/rating-fields.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../../hydrated.tsx'

type Props = {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

async function readAsked({ params, searchParams }: Props) {
  const asof = readAsOf(toUrlParams(await searchParams))
  return { id: parseRatingId(toPathText((await params).id)), asof }
}

const loadRating = cache(async (id: number, asof: number | null) => {
  const queryClient = createQueryClient()
  return { queryClient, ...(await loadPresence(queryClient, id, asof)) }
})

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { id, asof } = await readAsked(props)
  const found = id === null ? null : await loadRating(id, asof)
  if (!found?.answer) return { title: id === null ? 'No such rating' : `Rating ${id}` }
  const { answer } = found
  const title = toTimedTitle(toRatingTitle(answer), asof)
  return { title, description: toRatingDescription(answer) }
}

// No loading.tsx here or above: it would send status 200 before a 404 is known.
export default async function RatingPage(props: Props) {
  await requireAccess()
  const { id, asof } = await readAsked(props)
  if (id === null) notFound()
  const { presence, queryClient } = await loadRating(id, asof)
  if (presence === 'unknown') notFound()
  return (
    <PageBody>
      {presence === 'waiting' ? (
        <ArrivalPage title={`Rating ${id}`} />
      ) : (
        <Hydrated client={queryClient}>
          <RatingScreen id={id} />
        </Hydrated>
      )}
    </PageBody>
  )
}

async function loadPresence(queryClient: QueryClient, id: number, asof: number | null) {
  try {
    const answer = await queryClient.fetchQuery(ratingOptions(id, asof, fetchInProcess))
    return { presence: 'there', answer } as const
  } catch (error) {
    return {
      presence: await toAbsence(error, queryClient, fetchInProcess),
      answer: null,
    } as const
  }
}
