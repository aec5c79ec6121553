'use client'

import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { useAsOf, useAsOfHref } from '#components/time/as-of.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import { ApiError } from '#lib/client/api-error.ts'
import { toPathText } from '#lib/contract/path-part.ts'
import { parseRatingId } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type RatingAbsenceProps = { id: number; error: Error; asof: number | null; onRetry: () => void }

export function RatingAbsence({ id, error, asof, onRetry }: RatingAbsenceProps) {
  if (!(error instanceof ApiError && error.status === 404)) {
    return <FailureNotice what={`Rating ${id}`} error={error} onRetry={onRetry} />
  }
  return (
    <div role="alert">
      <EmptyState title={`There is no rating ${id}`}>
        {asof === null
          ? 'No rating in the archive has this id.'
          : 'No rating with this id existed at the time that the page is rewound to.'}
      </EmptyState>
    </div>
  )
}

const LINES = ['70%', '35%', '80%', '60%']

export function RatingSkeleton() {
  return (
    <div className="flex flex-col gap-3" aria-busy>
      <Skeleton width="65%" height={26} />
      {LINES.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
      <Skeleton height={112} className="rounded-md" />
    </div>
  )
}

const LONGEST = 24

export function UnknownRating() {
  const asked = toPathText((usePathname() ?? '').split('/').at(-1) ?? '')
  const withAsOf = useAsOfHref()
  const isId = parseRatingId(asked) !== null
  const letters = [...asked]
  const shown = toVisibleText(letters.slice(0, LONGEST).join(''))
  const rest = letters.length > LONGEST ? '…' : ''
  const title = isId ? `There is no rating ${asked}` : `“${shown}${rest}” is not the id of a rating`
  return (
    <div className="py-6">
      <ReloadOnRewind />
      <h1 className="sr-only">{title}</h1>
      <EmptyState action={<ButtonLink href={withAsOf('/')}>All ratings</ButtonLink>} title={title}>
        {isId
          ? 'No rating with this id exists, or none existed at the time in the address.'
          : 'Addresses of ratings end in a number, such as 12.'}
      </EmptyState>
    </div>
  )
}

/** The server sent a 404: only a reload can replace it. */
function ReloadOnRewind() {
  const asof = useAsOf()
  const asked = useRef(asof)
  useEffect(() => {
    if (asked.current !== asof) window.location.reload()
  }, [asof])
  return null
}
