'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { ratingOptions } from '#lib/client/query-options.ts'
import type { Outlook } from './rating-address.ts'
import { RatingArticle } from './rating-article.tsx'
import { RatingSkeleton } from './rating-skeleton.tsx'

/** The page of a rating. */
export function RatingScreen({ id, outlook }: { id: number; outlook: Outlook }) {
  const { data, error, refetch } = useQuery(ratingOptions(id, outlook.asof))
  if (data !== undefined) return <RatingArticle answer={data} outlook={outlook} />
  return (
    <>
      <h1 className="text-2xl">Rating {id}</h1>
      {error === null ? (
        <RatingSkeleton />
      ) : (
        <FailureNotice error={error} onRetry={() => void refetch()} what={`Rating ${id}`} />
      )}
    </>
  )
}
