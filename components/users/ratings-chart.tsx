'use client'

import { useRouter } from 'next/navigation'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useMemo, useState } from 'react'
import { LazyDrawing, lazyDrawing } from '#components/charts/lazy-drawing.tsx'
import { useWidth } from '#components/charts/use-width.ts'
import { toZonedText, toZoneName } from '#components/format/instants.ts'
import { formatPrediction } from '#components/format/numbers.ts'
import {
  ActionMark,
  actionGlyph,
  RatingMark,
  ratingStyle,
} from '#components/marks/rating-marks.tsx'
import { AsOfLink, useAsOf } from '#components/time/as-of.tsx'
import type { Extent } from '#components/time/time-range.ts'
import { classNames } from '#components/ui/class-names.ts'
import { LiveRegion } from '#components/ui/messages.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import type { UserRatings } from '#lib/contract/answers/users.ts'
import { toRatingHref, toSymbolHref } from '#lib/contract/page-addresses.ts'
import { ACTION_LABELS, RATING_LABELS } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import {
  AXIS_PX,
  type PlacedRating,
  type PlacedRow,
  placeRatings,
  pressRatingKey,
  ROW_PX,
  selectRatingAt,
  toEndText,
  toRatingText,
} from './ratings.ts'

const WIDTH_PX = 800

const ratingsDrawing = lazyDrawing(
  async () => (await import('./ratings-drawing.tsx')).RatingsDrawing,
  'The chart',
)

type RatingsChartProps = {
  ratings: UserRatings
  extent: Extent
  name: string
}

export function RatingsChart({ ratings, extent, name }: RatingsChartProps) {
  const [ref, measured] = useWidth()
  const router = useRouter()
  const asof = useAsOf()
  const zone = useZone()
  const [chosen, setChosen] = useState<number | null>(null)
  const [spoken, setSpoken] = useState('')
  const widthPx = measured || WIDTH_PX
  const rows = useMemo(() => placeRatings(ratings, extent, widthPx), [ratings, extent, widthPx])
  const current =
    rows.flatMap((row) => row.ratings).find(({ rating }) => rating.id === chosen) ?? null
  const open = ({ rating }: PlacedRating) => router.push(toRatingHref(rating.id, asof))
  const at = ({ clientX, clientY, currentTarget }: MouseEvent) => {
    const box = currentTarget.getBoundingClientRect()
    const row = rows[Math.floor((clientY - box.top - AXIS_PX) / ROW_PX)]
    return selectRatingAt(row, clientX - box.left, box.width)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter' && current) return open(current)
    if (event.key === 'Escape') return setChosen(null)
    const next = pressRatingKey(rows, current, event.key)
    if (next === null) return
    event.preventDefault()
    setChosen(next.rating.id)
    setSpoken(toRatingText(next.symbol, next.rating, { zone }))
  }
  const onClick = (event: MouseEvent) => {
    const hit = at(event)
    // On touch the first tap reads, the second opens.
    if (hit && hit.rating.id === chosen) open(hit)
    else setChosen(hit?.rating.id ?? null)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') setChosen(at(event)?.rating.id ?? null)
  }
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <RatingReading placed={current} />
      <div className="flex min-w-0" data-pane>
        <RowNames rows={rows} />
        <div
          ref={ref}
          aria-label={`${name}: arrow keys move between ratings, Enter opens the rating`}
          className="min-w-0 grow rounded-sm"
          onClick={onClick}
          onKeyDown={onKeyDown}
          onPointerLeave={() => setChosen(null)}
          onPointerMove={onPointerMove}
          role="application"
          style={{ cursor: current ? 'pointer' : undefined }}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move between the ratings
          tabIndex={0}
        >
          <LazyDrawing
            drawing={ratingsDrawing}
            drawn={{ rows, extent, widthPx, chosen: current, isMeasured: measured > 0 }}
            host={{ style: { height: AXIS_PX + rows.length * ROW_PX } }}
            of={ratings}
          />
        </div>
      </div>
      <LiveRegion message={spoken} />
    </div>
  )
}

const RowNames = ({ rows }: { rows: readonly PlacedRow[] }) => (
  <ul
    aria-label="Symbols of the rows"
    className="w-16 shrink-0 sm:w-20"
    style={{ paddingTop: AXIS_PX }}
  >
    {rows.map(({ symbol }) => (
      <li
        key={symbol}
        className="flex items-end"
        style={{ height: ROW_PX }}
        title={toVisibleText(symbol) === symbol ? undefined : toVisibleText(symbol)}
      >
        <AsOfLink
          className="truncate pr-2 text-sm leading-5 font-medium hover:underline"
          href={toSymbolHref(symbol)}
        >
          {toVisibleText(symbol)}
        </AsOfLink>
      </li>
    ))}
  </ul>
)

function RatingReading({ placed }: { placed: PlacedRating | null }) {
  const zone = useZone()
  return (
    <p
      aria-hidden
      className="flex min-h-11 flex-wrap items-baseline content-start gap-x-3 text-sm text-ink-3 sm:min-h-5"
      data-unsaved
    >
      {placed === null ? (
        'Point at a rating, or move with the arrow keys, to read it; a click or Enter opens the rating.'
      ) : (
        <>
          <strong className="text-ink">{toVisibleText(placed.symbol)}</strong>
          <ActionMark code={placed.rating.action} label={placed.rating.action_label} />
          <RatingMark code={placed.rating.rating} label={placed.rating.rating_label} />
          <span className="text-ink">{formatPrediction(placed.rating.prediction)}</span>
          <span>
            {toZonedText(placed.rating.created_at, zone)} {toZoneName(zone)},{' '}
            {toEndText(placed.rating, zone)}
          </span>
        </>
      )}
    </p>
  )
}

export function RatingsLegend({ hasVanished }: { hasVanished: boolean }) {
  return (
    <ul
      aria-label="Legend"
      data-pane="legend"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-3"
    >
      {Object.entries(RATING_LABELS).map(([code, label]) => (
        <li key={code} className="inline-flex items-center gap-1.5">
          <span
            aria-hidden
            className={classNames('h-2 w-3 rounded-xs', ratingStyle(Number(code)).fill)}
          />
          <RatingMark code={Number(code)} label={label} />
        </li>
      ))}
      {Object.entries(ACTION_LABELS).map(([code, label]) => (
        <li key={code}>
          <span aria-hidden>{actionGlyph(Number(code))}</span> {label}
        </li>
      ))}
      <li>
        <span aria-hidden>|</span> expired
      </li>
      {hasVanished && (
        <li>
          <span aria-hidden>¦</span> no longer listed by the service
        </li>
      )}
      <li>
        <span aria-hidden>○</span> expired before it was posted
      </li>
    </ul>
  )
}
