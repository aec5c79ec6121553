'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { QueryProps } from '#components/ratings/query-change.ts'
import { classNames } from '#components/ui/class-names.ts'
import { LiveRegion } from '#components/ui/live-region.tsx'
import { ratingOptions } from '#lib/client/query-options.ts'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'
import { RatingAbsence } from './rating-absence.tsx'
import { toRatingHref } from './rating-address.ts'
import { RatingContent } from './rating-content.tsx'
import { RatingSkeleton } from './rating-skeleton.tsx'
import { toRatingTitle } from './rating-words.ts'
import { focusRow, useRowInSight } from './row-of-rating.ts'
import { SheetBar } from './sheet-bar.tsx'
import { SheetFrame } from './sheet-frame.tsx'
import { useIsWide } from './use-is-wide.ts'
import { useSheetKeys } from './use-sheet-keys.ts'
import { useSteps } from './use-steps.ts'

type RatingSheetProps = QueryProps & {
  id: number
  page: RatingsPage | undefined
  isOld: boolean
}

/** One rating beside the table that it stands in: all that is known of it, and the steps to those around it. */
export function RatingSheet({ id, query, change, page, isOld }: RatingSheetProps) {
  const frame = useRef<HTMLElement>(null)
  const isWide = useIsWide()
  useRowInSight(id, page)
  const steps = useSteps({ open: id, query, change, page, isOld })
  const loaded = useQuery({ ...ratingOptions(id, query.asof), placeholderData: keepPreviousData })
  const { data, error, isPlaceholderData } = loaded
  const close = () => {
    if (frame.current?.contains(document.activeElement)) focusRow(id)
    change((view) => ({ ...view, open: null }))
  }
  useSheetKeys(frame, { open: id, onClose: close, onStep: steps.go })
  const said = data && !isPlaceholderData ? `Rating ${id}. ${toRatingTitle(data)}` : ''
  return (
    <SheetFrame name={`Rating ${id}`} isWide={isWide} onClose={close} frame={frame}>
      <SheetBar steps={steps} onStep={steps.go} onClose={close} href={toRatingHref(id, query)} />
      <div
        data-sheet-start
        tabIndex={-1}
        className="min-h-0 grow overflow-y-auto p-4 outline-offset-[-2px] [scrollbar-width:thin]"
        aria-busy={isPlaceholderData || undefined}
      >
        {steps.failed && <StepFailure />}
        {data ? (
          <div
            className={classNames(isPlaceholderData && 'opacity-60 transition-opacity delay-100')}
          >
            <RatingContent
              answer={data}
              outlook={query}
              show={(other) => change((view) => ({ ...view, open: other }), 'replace')}
            />
          </div>
        ) : error ? (
          <RatingAbsence
            id={id}
            error={error}
            outlook={query}
            onRetry={() => void loaded.refetch()}
          />
        ) : (
          <RatingSkeleton />
        )}
      </div>
      <Said message={said} />
    </SheetFrame>
  )
}

const StepFailure = () => (
  <p role="alert" className="pb-3 text-rating-text-1">
    The next page of the result could not be loaded. Step again to try again.
  </p>
)

/** Reads out what is open. A region that appears together with its text is not read, so the text comes after it. */
function Said({ message }: { message: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => setSaid(message), [message])
  return <LiveRegion message={said} />
}
