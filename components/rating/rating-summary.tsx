'use client'

import type { ComponentProps, MouseEvent } from 'react'
import { AsOfLink, useAsOf } from '#components/address/as-of.tsx'
import { toSymbolHref, toUserHref } from '#components/address/page-address.ts'
import { toRatingHref } from '#components/address/rating-address.ts'
import { formatRelative } from '#components/format/instants.ts'
import {
  formatCount,
  formatCounted,
  formatPrediction,
  toAgreementText,
} from '#components/format/numbers.ts'
import { OutsideText } from '#components/format/outside-text.tsx'
import { ActionMark, RatingMark } from '#components/marks/rating-marks.tsx'
import { Instant } from '#components/time/instant.tsx'
import { isPlainClick } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Link } from '#components/ui/link.tsx'
import type { RatingAnswer, RatingDetail } from '#lib/contract/answers/ratings.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toPredictionBefore, toRatingBefore, toStanding } from './rating-texts.ts'

type RatingHeadlineProps = { answer: RatingAnswer; as: 'h1' | 'h2' }

export function RatingHeadline({ answer, as: Heading }: RatingHeadlineProps) {
  const { data, meta } = answer
  const before = toPredictionBefore(answer)
  return (
    <header className="flex flex-col gap-1">
      <Heading className="flex flex-wrap items-baseline gap-x-3 text-xl wrap-anywhere">
        <AsOfLink className="hover:underline" href={toSymbolHref(toSymbolKey(data.symbol))}>
          {toVisibleText(data.symbol)}
        </AsOfLink>
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 text-lg font-medium tracking-normal">
          <PreviousValue text={toRatingBefore(answer)} />
          <RatingMark code={data.rating} label={data.rating_label} className="min-w-0" />
        </span>
      </Heading>
      <p className="text-lg">
        <PreviousValue text={before === null ? null : formatPrediction(before)} />
        <span className="font-medium">{formatPrediction(data.prediction)}</span>{' '}
        <span className="text-sm text-ink-3">predicted</span>
      </p>
      <p className="flex flex-wrap gap-x-1.5">
        <ActionMark
          code={data.action}
          label={data.action_label}
          className="min-w-0 wrap-anywhere whitespace-normal!"
        />
        <span>
          by{' '}
          <AsOfLink className="link" href={toUserHref(data.user_id)}>
            user {data.user_id}
          </AsOfLink>
        </span>
        <span>
          <InstantWithAge seconds={data.created_at} asOf={meta.as_of} />
        </span>
      </p>
    </header>
  )
}

function PreviousValue({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <span className="font-normal text-ink-3">
      {text} <span aria-hidden>→</span>
      <span className="sr-only">to</span>{' '}
    </span>
  )
}

type RatingStandingProps = { answer: RatingAnswer; asof: number | null; show?: ShowRating }

export function RatingStanding({ answer, asof, show }: RatingStandingProps) {
  const { word, text, at, by, foreseen } = toStanding(answer)
  const isActive = word === 'Active'
  return (
    <div>
      <p>
        <span
          aria-hidden
          className={classNames(
            'mr-1.5 inline-block size-2 rounded-full border',
            isActive ? 'border-good bg-good forced-colors:bg-[CanvasText]' : 'border-ink-3',
          )}
        />
        <span className={classNames('font-semibold', isActive && 'text-good')}>{word}</span>{' '}
        {by && (
          <>
            by{' '}
            <RatingLink to={by.id} asof={asof} show={show} className="link">
              <OutsideText>{by.rating_label}</OutsideText>
            </RatingLink>{' '}
          </>
        )}
        {text} {at !== null && <InstantWithAge seconds={at} asOf={answer.meta.as_of} />}
      </p>
      {word === 'Replaced' && (
        <p className="text-ink-3">
          {foreseen === null ? (
            'It had no expiry.'
          ) : (
            <>
              It would have expired on <InstantWithAge seconds={foreseen} />
            </>
          )}
        </p>
      )}
    </div>
  )
}

export function RatingVotes({ rating }: { rating: RatingDetail }) {
  const { tally_agree: agree, tally_disagree: disagree, tally_comment: comments } = rating
  const isRewound = useAsOf() !== null
  const share = toAgreementText(agree, disagree)
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex flex-wrap gap-x-4">
        <Votes count={agree} word="agree" />
        <Votes count={disagree} word="disagree" />
        <Votes count={comments} word={comments === 1 ? 'comment' : 'comments'} />
        <span className="ml-auto text-ink-3">
          {share === null
            ? 'no votes'
            : `${share} agreement of ${formatCounted(agree + disagree, 'vote')}`}
          {isRewound && ', as last seen'}
        </span>
      </p>
      {share !== null && (
        <span aria-hidden className="flex h-1 gap-px overflow-hidden rounded-full">
          {agree > 0 && (
            <span
              className="rating-fill-4"
              style={{ width: `${(100 * agree) / (agree + disagree)}%` }}
            />
          )}
          {disagree > 0 && <span className="rating-fill-2 grow" />}
        </span>
      )}
    </div>
  )
}

function Votes({ count, word }: { count: number; word: string }) {
  return (
    <span>
      <b className="font-semibold">{formatCount(count)}</b> {word}
    </span>
  )
}

export type ShowRating = (id: number) => void

type RatingLinkProps = Omit<ComponentProps<typeof Link>, 'href' | 'onClick'> & {
  to: number
  asof: number | null
  show?: ShowRating
}

export function RatingLink({ to, asof, show, ...rest }: RatingLinkProps) {
  const onClick = (event: MouseEvent) => {
    if (!show || !isPlainClick(event)) return
    event.preventDefault()
    show(to)
  }
  return <Link href={toRatingHref(to, asof)} onClick={onClick} {...rest} />
}

type InstantWithAgeProps = {
  /** Seconds since 1970. */
  seconds: number
  /** Seconds since 1970; undefined hides relative times. */
  asOf?: number
}

function InstantWithAge({ seconds, asOf }: InstantWithAgeProps) {
  return (
    <>
      <Instant seconds={seconds} />
      {asOf !== undefined && (
        <span className="whitespace-nowrap text-ink-3"> · {formatRelative(seconds, asOf)}</span>
      )}
    </>
  )
}
