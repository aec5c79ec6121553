'use client'

import Link from 'next/link'
import { useState } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { toZonedDay } from '#components/format/zoned.ts'
import { actionGlyph } from '#components/rating/action-mark.tsx'
import { RatingMark, ratingLook } from '#components/rating/rating-mark.tsx'
import { Instant } from '#components/time/instant.tsx'
import { useZone } from '#components/time/zone.tsx'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { HistoryItem, RatingAnswer } from '#lib/contract/answers/ratings.ts'
import type { Outlook } from '#lib/contract/outlook.ts'
import { toMemberRatingsHref } from './rating-address.ts'
import { RatingLink, type ShowRating } from './rating-link.tsx'
import { Section } from './section.tsx'
import { selectNearest } from './select-nearest.ts'

const FEW = 9

type RatingHistoryProps = {
  answer: RatingAnswer
  outlook: Outlook
  show?: ShowRating
  heading: 'h2' | 'h3'
}

/** What the member said of the symbol before and after, the newest first; this one stands out. */
export function RatingHistory({ answer, outlook, show, heading }: RatingHistoryProps) {
  const { formatCount, formatCounted } = useFormats()
  const { data, history } = answer
  const [isWhole, setWhole] = useState(false)
  const newestFirst = [...history.ratings].reverse()
  const place = newestFirst.findIndex(({ id }) => id === data.id)
  const listed = isWhole ? newestFirst : selectNearest(newestFirst, place, FEW)
  const unlisted = history.total - history.ratings.length
  return (
    <Section
      title={`User ${data.user_id} on ${data.symbol}`}
      detail={`${formatCount(history.before + history.ratings.length - place)} of ${formatCount(history.total)}`}
      as={heading}
    >
      <ol className="relative flex flex-col before:absolute before:inset-y-3.5 before:left-[11px] before:border-l">
        {listed.map((item) => (
          <li key={item.id}>
            <HistoryLine item={item} isHere={item.id === data.id} outlook={outlook} show={show} />
          </li>
        ))}
      </ol>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {listed.length < newestFirst.length && (
          <Button variant="outline" size="small" onClick={() => setWhole(true)}>
            Show {unlisted > 0 ? 'the nearest' : 'all'} {formatCount(newestFirst.length)}
          </Button>
        )}
        <Link className="link" href={toMemberRatingsHref(data, outlook)} prefetch={false}>
          {formatCounted(history.total, 'rating')} by user {data.user_id} on {data.symbol}
        </Link>
      </p>
    </Section>
  )
}

type HistoryLineProps = Pick<RatingHistoryProps, 'outlook' | 'show'> & {
  item: HistoryItem
  isHere: boolean
}

function HistoryLine({ item, isHere, outlook, show }: HistoryLineProps) {
  const { formatPrediction } = useFormats()
  const zone = useZone()
  return (
    <RatingLink
      to={item.id}
      outlook={outlook}
      show={show}
      aria-current={isHere || undefined}
      className={classNames(
        'relative grid h-7 grid-cols-[1.5rem_5.25rem_1rem_minmax(0,1fr)_auto] items-center rounded-md pr-2',
        isHere ? 'bg-accent-bg font-medium' : 'hover:bg-sunk',
        item.state === 'expired' && !isHere && 'text-ink-2',
      )}
    >
      <span
        aria-hidden
        className={classNames(
          'ml-[7px] size-2.5 rounded-full border-2 border-surface',
          ratingLook(item.rating).fill,
        )}
      />
      <Instant seconds={item.created_at}>{toZonedDay(item.created_at, zone)}</Instant>
      <span aria-hidden title={item.action_label} className="text-ink-3">
        {actionGlyph(item.action)}
      </span>
      <span className="sr-only">{item.action_label}</span>
      <RatingMark aligned code={item.rating} label={item.rating_label} className="min-w-0" />
      <span className="pl-2">{formatPrediction(item.prediction)}</span>
    </RatingLink>
  )
}
