'use client'

import { useRouter } from 'next/navigation'
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  useMemo,
  useState,
} from 'react'
import { Curve, Layer, Rectangle, Surface } from 'recharts'
import { useOutlook, useZone, ZonedLink } from '#components/address/outlook.tsx'
import { toSymbolHref } from '#components/address/page-address.ts'
import { toRatingHref } from '#components/address/rating-address.ts'
import type { Extent } from '#components/address/time-range.ts'
import { toDotsPath, toSegmentPoints } from '#components/charts/paths.ts'
import { toTimeTicks } from '#components/charts/time-ticks.ts'
import { useWidth } from '#components/charts/use-width.ts'
import { toZonedText, toZoneName } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import {
  ActionMark,
  actionGlyph,
  RatingMark,
  ratingStyle,
} from '#components/marks/rating-marks.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { LiveRegion } from '#components/ui/messages.tsx'
import type { UserRatings } from '#lib/contract/answers/user-record.ts'
import { ACTION_LABELS, RATING_LABELS } from '#lib/contract/rating-codes.ts'
import {
  AXIS_PX,
  BAR_PX,
  BAR_TOP_PX,
  type PlacedRating,
  type PlacedRow,
  placeRatings,
  pressRatingKey,
  ROW_PX,
  selectRatingAt,
  toEndText,
  toRatingText,
} from './ratings.ts'

/** What the drawing is placed for before it was measured. */
const WIDTH_PX = 800

type RatingsChartProps = {
  ratings: UserRatings
  extent: Extent
  name: string
  /** Whether ratings and symbols lead to their pages. In the frame of another page nothing does. */
  leads: boolean
}

/** One row a symbol, one segment a rating. Arrow keys move between them, Enter opens the rating. */
export function RatingsChart({ ratings, extent, name, leads }: RatingsChartProps) {
  const [ref, measured] = useWidth()
  const router = useRouter()
  const formats = useFormats()
  const outlook = useOutlook()
  const [chosen, setChosen] = useState<number | null>(null)
  const [spoken, setSpoken] = useState('')
  const widthPx = measured || WIDTH_PX
  const rows = useMemo(() => placeRatings(ratings, extent, widthPx), [ratings, extent, widthPx])
  const current =
    rows.flatMap((row) => row.ratings).find(({ rating }) => rating.id === chosen) ?? null
  const open = ({ rating }: PlacedRating) => {
    if (leads) router.push(toRatingHref(rating.id, outlook))
  }
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
    setSpoken(toRatingText(next.symbol, next.rating, { zone: outlook.tz, formats }))
  }
  const onClick = (event: MouseEvent) => {
    const hit = at(event)
    // By finger the first tap reads, the second opens: there is nothing to hover with.
    if (hit && hit.rating.id === chosen) open(hit)
    else setChosen(hit?.rating.id ?? null)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') setChosen(at(event)?.rating.id ?? null)
  }
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <RatingReading leads={leads} placed={current} />
      <div className="flex min-w-0" data-pane>
        <RowNames leads={leads} rows={rows} />
        <div
          ref={ref}
          aria-label={`${name}: arrow keys move between ratings${leads ? ', Enter opens the rating' : ''}`}
          className="min-w-0 grow rounded-sm"
          onClick={onClick}
          onKeyDown={onKeyDown}
          onPointerLeave={() => setChosen(null)}
          onPointerMove={onPointerMove}
          role="application"
          style={{ cursor: current && leads ? 'pointer' : undefined }}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move between the ratings
          tabIndex={0}
        >
          <RatingsDrawing
            chosen={current}
            extent={extent}
            isMeasured={measured > 0}
            rows={rows}
            widthPx={widthPx}
          />
        </div>
      </div>
      <LiveRegion message={spoken} />
    </div>
  )
}

const NAME_CLASSES = 'truncate pr-2 text-sm leading-5 font-medium'

/** The symbols beside their rows. */
const RowNames = ({ rows, leads }: { rows: readonly PlacedRow[]; leads: boolean }) => (
  <ul
    aria-label="Symbols of the rows"
    className="w-16 shrink-0 sm:w-20"
    style={{ paddingTop: AXIS_PX }}
  >
    {rows.map(({ symbol }) => (
      <li key={symbol} className="flex items-end" style={{ height: ROW_PX }}>
        {leads ? (
          <ZonedLink className={`${NAME_CLASSES} hover:underline`} href={toSymbolHref(symbol)}>
            {symbol}
          </ZonedLink>
        ) : (
          <span className={NAME_CLASSES}>{symbol}</span>
        )}
      </li>
    ))}
  </ul>
)

/** The rating that is pointed at, in full; as high without one. `leads`: it can be opened. */
function RatingReading({ placed, leads }: { placed: PlacedRating | null; leads: boolean }) {
  const { formatPrediction } = useFormats()
  const zone = useZone()
  return (
    <p
      aria-hidden
      className="flex min-h-11 flex-wrap items-baseline content-start gap-x-3 text-sm text-ink-3 sm:min-h-5"
      data-unsaved
    >
      {placed === null ? (
        `Point at a rating, or move with the arrow keys, to read it${leads ? '; a click or Enter opens the rating' : ''}.`
      ) : (
        <>
          <strong className="text-ink">{placed.symbol}</strong>
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

const TICK_PX = 86
/** The end of a rating that the service dropped, apart from one that expired. */
const VANISHED_DASH = '3 2'

type RatingsDrawingProps = {
  rows: readonly PlacedRow[]
  extent: Extent
  chosen: PlacedRating | null
  widthPx: number
  isMeasured: boolean
}

/** Marks stretched to the width and texts by parts of it, so that it stands before it is measured. */
function RatingsDrawing({ chosen, ...drawn }: RatingsDrawingProps) {
  const { rows, widthPx, isMeasured } = drawn
  const height = AXIS_PX + rows.length * ROW_PX
  return (
    <div aria-hidden className="relative" style={{ height }}>
      <Surface
        className={classNames(
          'absolute inset-0 overflow-visible',
          !isMeasured && '[&_path]:[vector-effect:non-scaling-stroke]',
        )}
        height={height}
        preserveAspectRatio="none"
        role="presentation"
        viewBox={{ x: 0, y: 0, width: widthPx, height }}
        width="100%"
      >
        <SpanMarks {...drawn} />
        {chosen && <Frame placed={chosen} widthPx={widthPx} />}
      </Surface>
      <SpanTexts {...drawn} />
    </div>
  )
}

type RatingsDrawnProps = Omit<RatingsDrawingProps, 'chosen' | 'isMeasured'>

/** What does not change with the rating that is pointed at. */
export const SpanMarks = memo(function SpanMarks({ rows, extent, widthPx }: RatingsDrawnProps) {
  const height = AXIS_PX + rows.length * ROW_PX
  const down = toTicks(extent, widthPx).map(({ part }) => {
    const x = part * widthPx
    return { x1: x, y1: AXIS_PX - 4, x2: x, y2: height }
  })
  const across = rows.map((_, row) => {
    const y = AXIS_PX + (row + 1) * ROW_PX - 0.5
    return { x1: 0, y1: y, x2: widthPx, y2: y }
  })
  return (
    <>
      <Curve className="stroke-line" points={toSegmentPoints([...down, ...across])} />
      {rows.map((row) => (
        <Layer key={row.symbol}>
          {row.ratings.map((placed) => (
            <Bar key={placed.rating.id} placed={placed} widthPx={widthPx} />
          ))}
        </Layer>
      ))}
    </>
  )
})

/** The instants of the axis, and where they stand on it: 0 to 1. */
const toTicks = ({ from, to }: Extent, widthPx: number) =>
  toTimeTicks(from, to, Math.max(2, Math.floor(widthPx / TICK_PX))).map((tick) => ({
    ...tick,
    part: (tick.at - from) / (to - from),
  }))

const percent = (part: number) => `${Math.round(part * 1e4) / 1e2}%`

/** A surface has a view box always, and would stretch its texts: these stand in a drawing that has none. */
export const SpanTexts = memo(function SpanTexts({ rows, extent, widthPx }: RatingsDrawnProps) {
  return (
    <svg className="absolute inset-0 size-full overflow-visible" role="presentation">
      {toTicks(extent, widthPx).map(({ at, part, label }) => {
        const isLast = part > 0.93
        return (
          <text
            key={at}
            className="fill-ink-3 text-xs"
            dx={isLast ? -3 : 3}
            textAnchor={isLast ? 'end' : 'start'}
            x={percent(part)}
            y={11}
          >
            {label}
          </text>
        )
      })}
      {rows.flatMap((row) =>
        row.ratings
          .filter(({ isMarked, isCut }) => isMarked && !isCut)
          .map((placed) => <Glyphs key={placed.rating.id} placed={placed} />),
      )}
    </svg>
  )
})

/** What was done and said, at the rating's beginning. */
const Glyphs = ({ placed: { rating, row, start } }: { placed: PlacedRating }) => (
  <text className="font-sans text-[0.625rem]" x={percent(start)} y={AXIS_PX + row * ROW_PX + 10}>
    <tspan className="fill-ink font-semibold">{actionGlyph(rating.action)}</tspan>
    <tspan className={RATING_FILLS[rating.rating] ?? 'fill-rating-text-3'} dx={2} fontSize="0.5rem">
      {ratingStyle(rating.rating).glyph}
    </tspan>
  </text>
)

type BarProps = { placed: PlacedRating; widthPx: number }

function Bar({ placed, widthPx }: BarProps) {
  const { rating, row, start, end, how } = placed
  const y = AXIS_PX + row * ROW_PX + BAR_TOP_PX
  const isEnded = (how === 'expired' || how === 'vanished') && end < 1
  return (
    <>
      {how === 'never' ? (
        <Ring x={start * widthPx} y={y + BAR_PX / 2} />
      ) : (
        // Its edge parts it from the next one and keeps the shortest in sight.
        <Rectangle
          className={ratingStyle(rating.rating).fill}
          height={BAR_PX}
          radius={1}
          stroke="var(--surface)"
          strokeWidth={end - start > 0.004 ? 0.75 : 0}
          width={Math.max(end - start, 0.0015) * widthPx}
          x={start * widthPx}
          y={y}
        />
      )}
      {isEnded && (
        <Curve
          className="stroke-ink-2"
          points={toSegmentPoints([
            { x1: end * widthPx, y1: y - 3, x2: end * widthPx, y2: y + BAR_PX + 3 },
          ])}
          strokeWidth={1.5}
          {...(how === 'vanished' && { strokeDasharray: VANISHED_DASH })}
        />
      )}
    </>
  )
}

/** A dot on a larger one, which stay round where a circle would be stretched. */
function Ring({ x, y }: { x: number; y: number }) {
  const path = toDotsPath([{ x, y }])
  return (
    <>
      <Curve className="stroke-ink-2" path={path} strokeLinecap="round" strokeWidth={7} />
      <Curve className="stroke-surface" path={path} strokeLinecap="round" strokeWidth={5} />
    </>
  )
}

const RATING_FILLS: Readonly<Record<number, string>> = {
  1: 'fill-rating-text-1',
  2: 'fill-rating-text-2',
  3: 'fill-rating-text-3',
  4: 'fill-rating-text-4',
  5: 'fill-rating-text-5',
}

/** Around the rating that is read. */
const Frame = ({ placed: { row, start, end }, widthPx }: BarProps) => (
  <Rectangle
    data-unsaved
    className="fill-none stroke-accent"
    height={BAR_PX + 5}
    radius={3}
    strokeWidth={2}
    width={Math.max(end - start, 0.008) * widthPx}
    x={start * widthPx}
    y={AXIS_PX + row * ROW_PX + BAR_TOP_PX - 2.5}
  />
)

/** What colours, glyphs and ends mean. The service seldom drops a rating: that mark is named where there is one. */
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
