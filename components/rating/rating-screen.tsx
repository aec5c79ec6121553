'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IgnoredNotice } from '#components/feedback/ignored-notice.tsx'
import { useTimedTitle } from '#components/time/as-of.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { buttonClasses } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { CopyLink } from '#components/ui/copy.tsx'
import { Link } from '#components/ui/link.tsx'
import { ratingOptions } from '#lib/client/query-options.ts'
import { useUrlQuery } from '#lib/client/url-query.ts'
import type { RatingAnswer } from '#lib/contract/answers/ratings.ts'
import { asofQuery } from '#lib/contract/api-queries.ts'
import { toRatingHref, toRatingsHref } from '#lib/contract/page-addresses.ts'
import { RatingAbsence, RatingSkeleton } from './rating-absence.tsx'
import {
  RatingHeadline,
  RatingHistory,
  RatingStanding,
  RatingVotes,
  RawJson,
} from './rating-parts.tsx'
import { toRatingTitle } from './rating-texts.ts'

export function RatingScreen({ id }: { id: number }) {
  const { query, ignored, params } = useUrlQuery(asofQuery)
  const { asof } = query
  const rating = useQuery({
    ...ratingOptions(id, asof),
    placeholderData: keepPreviousData,
  })
  const { data, error, refetch } = rating
  useTimedTitle(data ? toRatingTitle(data) : `Rating ${id}`)
  return (
    <>
      <IgnoredNotice ignored={ignored} params={params} href={toRatingHref(id, asof)} />
      {data !== undefined && <RatingArticle answer={data} asof={asof} />}
      {data === undefined && (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="text-2xl">Rating {id}</h1>
            <TimeMachine className="ml-auto" />
          </div>
          {error === null ? (
            <RatingSkeleton />
          ) : (
            <RatingAbsence id={id} error={error} asof={asof} onRetry={() => void refetch()} />
          )}
        </>
      )}
    </>
  )
}

function RatingArticle({ answer, asof }: { answer: RatingAnswer; asof: number | null }) {
  const { data } = answer
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Link
          href={toRatingsHref({ asof })}
          className={classNames(buttonClasses({ variant: 'quiet', size: 'small' }), '-ml-2')}
        >
          ← All ratings
        </Link>
        <span className="text-ink-3">Rating {data.id}</span>
        <TimeMachine className="ml-auto" />
        <CopyLink href={toRatingHref(data.id, asof)} />
      </div>
      <div className="grid gap-x-8 gap-y-3 lg:grid-cols-2 lg:*:last:border-t-0 lg:*:last:pt-1">
        <div className="flex min-w-0 flex-col gap-3">
          <RatingHeadline answer={answer} as="h1" />
          <RatingStanding answer={answer} asof={asof} />
          <RatingVotes rating={data} />
          <RawJson rating={data} asof={asof} />
        </div>
        <RatingHistory key={data.id} answer={answer} asof={asof} heading="h2" />
      </div>
    </>
  )
}
