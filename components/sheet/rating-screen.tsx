'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import { useAddress } from '#components/address/use-address.ts'
import { TimeMachine } from '#components/time-machine/time-machine.tsx'
import { useTimedTitle } from '#components/time-machine/use-timed-title.ts'
import { ratingOptions } from '#lib/client/query-options.ts'
import { RatingAbsence } from './rating-absence.tsx'
import { readRatingOutlook, toRatingHref } from './rating-address.ts'
import { RatingArticle } from './rating-article.tsx'
import { RatingSkeleton } from './rating-skeleton.tsx'
import { toRatingTitle } from './rating-words.ts'

/** The page of a rating, at the instant and in the zone of its address. */
export function RatingScreen({ id }: { id: number }) {
  const { params } = useAddress()
  const { outlook, ignored } = useMemo(() => readRatingOutlook(params), [params])
  const rating = useQuery({
    ...ratingOptions(id, outlook.asof),
    placeholderData: keepPreviousData,
  })
  const { data, error, refetch } = rating
  useTimedTitle(data ? toRatingTitle(data) : `Rating ${id}`)
  return (
    <>
      <IgnoredNotice ignored={ignored} params={params} href={toRatingHref(id, outlook)} />
      {data !== undefined && <RatingArticle answer={data} outlook={outlook} />}
      {data === undefined && (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="text-2xl">Rating {id}</h1>
            <TimeMachine className="ml-auto" />
          </div>
          {error === null ? (
            <RatingSkeleton />
          ) : (
            <RatingAbsence id={id} error={error} outlook={outlook} onRetry={() => void refetch()} />
          )}
        </>
      )}
    </>
  )
}
