'use client'

import { type ComponentProps, type MouseEvent, type ReactNode, useId, useState } from 'react'
import { formatRelative, toZonedDay } from '#components/format/instants.ts'
import {
  formatCount,
  formatCounted,
  formatPrediction,
  toAgreementText,
} from '#components/format/numbers.ts'
import { OutsideText } from '#components/format/outside-text.tsx'
import {
  ActionMark,
  actionGlyph,
  RatingMark,
  ratingStyle,
} from '#components/marks/rating-marks.tsx'
import { AsOfLink, useAsOf } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Button, isPlainClick } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { CopyButton } from '#components/ui/copy.tsx'
import { Link } from '#components/ui/link.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { toRatingPath } from '#lib/client/query-options.ts'
import type { HistoryItem, RatingAnswer, RatingDetail } from '#lib/contract/answers/ratings.ts'
import { withBase } from '#lib/contract/base-path.ts'
import {
  toRatingHref,
  toSymbolHref,
  toUserHref,
  toUserOnSymbolHref,
} from '#lib/contract/page-addresses.ts'
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

const FEW = 9

type RatingHistoryProps = {
  answer: RatingAnswer
  asof: number | null
  show?: ShowRating
  heading: 'h2' | 'h3'
}

export function RatingHistory({ answer, asof, show, heading }: RatingHistoryProps) {
  const { data, history } = answer
  const [isWhole, setWhole] = useState(false)
  const newestFirst = [...history.ratings].reverse()
  const place = newestFirst.findIndex(({ id }) => id === data.id)
  const listed = isWhole ? newestFirst : selectNearest(newestFirst, place, FEW)
  const unlisted = history.total - history.ratings.length
  return (
    <Section
      title={`User ${data.user_id} on ${toVisibleText(data.symbol)}`}
      detail={`${formatCount(history.before + history.ratings.length - place)} of ${formatCount(history.total)}`}
      as={heading}
    >
      <ol className="relative flex flex-col before:absolute before:inset-y-3.5 before:left-[11px] before:border-l">
        {listed.map((item) => (
          <li key={item.id}>
            <HistoryLine item={item} isHere={item.id === data.id} asof={asof} show={show} />
          </li>
        ))}
      </ol>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {listed.length < newestFirst.length && (
          <Button variant="outline" size="small" onClick={() => setWhole(true)}>
            Show {unlisted > 0 ? 'the nearest' : 'all'} {formatCount(newestFirst.length)}
          </Button>
        )}
        <Link className="link" href={toUserOnSymbolHref(data, asof)}>
          {formatCounted(history.total, 'rating')} by user {data.user_id} on{' '}
          <OutsideText>{data.symbol}</OutsideText>
        </Link>
      </p>
    </Section>
  )
}

type HistoryLineProps = Pick<RatingHistoryProps, 'asof' | 'show'> & {
  item: HistoryItem
  isHere: boolean
}

function HistoryLine({ item, isHere, asof, show }: HistoryLineProps) {
  const zone = useZone()
  return (
    <RatingLink
      to={item.id}
      asof={asof}
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
          ratingStyle(item.rating).fill,
        )}
      />
      <Instant seconds={item.created_at}>{toZonedDay(item.created_at, zone)}</Instant>
      <span aria-hidden title={toVisibleText(item.action_label)} className="text-ink-3">
        {actionGlyph(item.action)}
      </span>
      <span className="sr-only">{toVisibleText(item.action_label)}</span>
      <RatingMark aligned code={item.rating} label={item.rating_label} className="min-w-0" />
      <span className="pl-2">{formatPrediction(item.prediction)}</span>
    </RatingLink>
  )
}

function selectNearest<T>(list: readonly T[], index: number, most: number): readonly T[] {
  const start = Math.max(0, Math.min(index - Math.floor(most / 2), list.length - most))
  return list.slice(start, start + most)
}

/** Limit for display, not for copying. */
const SHOWN_MAX = 100_000

export function RawJson({ rating, asof }: { rating: RatingDetail; asof: number | null }) {
  const [isOpen, setOpen] = useState(false)
  const path = toRatingPath(rating.id, asof)
  return (
    <details
      className="border-t pt-3"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="w-max text-base font-semibold">Raw JSON</summary>
      {isOpen && <JsonText text={JSON.stringify(rating, null, 2)} />}
      <p className="pt-1 text-sm text-ink-3">
        From{' '}
        <a className="link" href={withBase(path)}>
          {withBase(path)}
        </a>
      </p>
    </details>
  )
}

function JsonText({ text }: { text: string }) {
  const cut = text.length - SHOWN_MAX
  return (
    <div className="relative pt-2">
      <CopyButton
        text={text}
        what="JSON"
        variant="outline"
        className="absolute top-3.5 right-1.5"
      />
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Raw JSON"
        className="max-h-96 overflow-auto rounded-md border bg-sunk p-2.5 [scrollbar-width:thin]"
      >
        <pre className="font-mono text-sm whitespace-pre-wrap wrap-anywhere">
          {cut > 0 ? text.slice(0, SHOWN_MAX) : text}
        </pre>
      </section>
      {cut > 0 && (
        <p className="text-ink-3">{formatCount(cut)} more characters are copied, not shown.</p>
      )}
    </div>
  )
}

type SectionProps = { title: string; detail?: ReactNode; as: 'h2' | 'h3'; children: ReactNode }

function Section({ title, detail, as: Heading, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2 border-t pt-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Heading id={id} className="text-base">
          {title}
        </Heading>
        {detail !== undefined && <div className="text-sm text-ink-3">{detail}</div>}
      </div>
      {children}
    </section>
  )
}
