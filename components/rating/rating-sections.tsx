'use client'

import { type ReactNode, useId, useState } from 'react'
import { toUserOnSymbolHref } from '#components/address/rating-address.ts'
import { toZonedDay } from '#components/format/instants.ts'
import { formatCount, formatCounted, formatPrediction } from '#components/format/numbers.ts'
import { OutsideText } from '#components/format/outside-text.tsx'
import { actionGlyph, RatingMark, ratingStyle } from '#components/marks/rating-marks.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { CopyButton } from '#components/ui/copy.tsx'
import { Link } from '#components/ui/link.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { toRatingPath } from '#lib/client/query-options.ts'
import type { HistoryItem, RatingAnswer, RatingDetail } from '#lib/contract/answers/ratings.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { RatingLink, type ShowRating } from './rating-summary.tsx'
import { toExtraTexts } from './rating-texts.ts'

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

type RatingFieldsProps = { rating: RatingDetail; heading: 'h2' | 'h3' }

export function RatingFields({ rating, heading }: RatingFieldsProps) {
  const { rows, more } = toExtraTexts(rating.extra ?? {})
  return (
    <>
      <Section title="Fields as received" as={heading}>
        <FieldList
          rows={RATING_FIELDS.map((name) => ({ key: name, name, text: toFieldText(rating[name]) }))}
        />
      </Section>
      {rows.length > 0 && (
        <Section
          title="Fields beyond the specification"
          detail={formatCounted(rows.length + more, 'field')}
          as={heading}
        >
          <FieldList rows={rows} />
          {more > 0 && <p className="text-ink-3">{more} more are in the raw JSON.</p>}
        </Section>
      )}
    </>
  )
}

/** `name` is escaped, so names may repeat; `key` is raw. */
type Row = { key: string; name: string; text: string | null }

const toFieldText = (value: string | number | null): string | null =>
  value === null ? null : toVisibleText(String(value))

function FieldList({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className="grid grid-cols-[minmax(7.5rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-0.5 font-mono text-sm">
      {rows.map(({ key, name, text }) => (
        <div key={key} className="col-span-2 grid grid-cols-subgrid">
          <dt className="max-w-40 text-ink-3 wrap-anywhere">{name}</dt>
          <dd className="min-w-0 whitespace-pre-wrap wrap-anywhere">
            {text === null ? <span className="text-ink-3">null</span> : <bdi>{text}</bdi>}
          </dd>
        </div>
      ))}
    </dl>
  )
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
