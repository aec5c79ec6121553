import { memo } from 'react'
import { Curve, Rectangle, Surface } from 'recharts'
import { type Box, toBoxesPath, toDotsPath, toSegmentPoints } from '#components/charts/paths.ts'
import { toTimeTicks } from '#components/charts/time-ticks.ts'
import { actionGlyph, ratingStyle } from '#components/marks/rating-marks.tsx'
import type { Extent } from '#components/time/time-range.ts'
import { classNames } from '#components/ui/class-names.ts'
import {
  AXIS_PX,
  BAR_PX,
  BAR_TOP_PX,
  type PlacedRating,
  type PlacedRow,
  ROW_PX,
} from './ratings.ts'

const TICK_PX = 86
const VANISHED_DASH = '3 2'

type RatingsDrawingProps = {
  rows: readonly PlacedRow[]
  extent: Extent
  chosen: PlacedRating | null
  widthPx: number
  isMeasured: boolean
}

export function RatingsDrawing({ chosen, ...drawn }: RatingsDrawingProps) {
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

const SpanMarks = memo(function SpanMarks({ rows, extent, widthPx }: RatingsDrawnProps) {
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
      <Bars placed={rows.flatMap((row) => row.ratings)} widthPx={widthPx} />
    </>
  )
})

const toTicks = ({ from, to }: Extent, widthPx: number) =>
  toTimeTicks(from, to, Math.max(2, Math.floor(widthPx / TICK_PX))).map((tick) => ({
    ...tick,
    part: (tick.at - from) / (to - from),
  }))

const percent = (part: number) => `${Math.round(part * 1e4) / 1e2}%`

/** Not a `Surface`, whose view box would stretch the texts. */
const SpanTexts = memo(function SpanTexts({ rows, extent, widthPx }: RatingsDrawnProps) {
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
      <g className="rating-glyphs">
        {rows.flatMap((row) =>
          row.ratings
            .filter(({ isMarked, isCut }) => isMarked && !isCut)
            .map((placed) => <Glyphs key={placed.rating.id} placed={placed} />),
        )}
      </g>
    </svg>
  )
})

const Glyphs = ({ placed: { rating, row, start } }: { placed: PlacedRating }) => (
  <text x={percent(start)} y={AXIS_PX + row * ROW_PX + 10}>
    {actionGlyph(rating.action)}
    <tspan className={RATING_FILLS[rating.rating] ?? 'fill-rating-text-3'} dx={2}>
      {ratingStyle(rating.rating).glyph}
    </tspan>
  </text>
)

type BarsProps = { placed: readonly PlacedRating[]; widthPx: number }

const EDGED = 0.004
const EDGE_PX = 0.75
const SHORTEST = 0.0015

function Bars({ placed, widthPx }: BarsProps) {
  const bars = placed.filter(({ how }) => how !== 'never')
  const rings = placed.filter(({ how }) => how === 'never').map((one) => toRingPlace(one, widthPx))
  const fills = new Set(bars.map(toFill))
  const ends = (how: PlacedRating['how']) =>
    toSegmentPoints(
      placed
        .filter((one) => one.how === how && one.end < 1)
        .map(({ row, end }) => {
          const [x, y] = [end * widthPx, toBarTop(row)]
          return { x1: x, y1: y - 3, x2: x, y2: y + BAR_PX + 3 }
        }),
    )
  return (
    <>
      {[...fills].flatMap((fill) =>
        [EDGE_PX, 0].map((edge) => (
          <Curve
            key={`${fill} ${edge}`}
            className={fill}
            path={toBoxesPath(
              bars
                .filter((one) => toFill(one) === fill && toEdge(one) === edge)
                .map((one) => toBox(one, widthPx)),
            )}
            stroke="var(--surface)"
            strokeWidth={edge}
          />
        )),
      )}
      <Curve className="stroke-ink-2" points={ends('expired')} strokeWidth={1.5} />
      <Curve
        className="stroke-ink-2"
        points={ends('vanished')}
        strokeDasharray={VANISHED_DASH}
        strokeWidth={1.5}
      />
      {rings.length > 0 && <Rings places={rings} />}
    </>
  )
}

const toFill = ({ rating }: PlacedRating) => ratingStyle(rating.rating).fill

const toEdge = ({ start, end }: PlacedRating) => (end - start > EDGED ? EDGE_PX : 0)

const toBarTop = (row: number) => AXIS_PX + row * ROW_PX + BAR_TOP_PX

function toBox({ row, start, end }: PlacedRating, widthPx: number): Box {
  const [left, top] = [start * widthPx, toBarTop(row)]
  const right = left + Math.max(end - start, SHORTEST) * widthPx
  return { left, right, top, bottom: top + BAR_PX }
}

const toRingPlace = ({ row, start }: PlacedRating, widthPx: number) => ({
  x: start * widthPx,
  y: toBarTop(row) + BAR_PX / 2,
})

function Rings({ places }: { places: readonly { x: number; y: number }[] }) {
  const path = toDotsPath(places)
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

type FrameProps = { placed: PlacedRating; widthPx: number }

const Frame = ({ placed: { row, start, end }, widthPx }: FrameProps) => (
  <Rectangle
    data-unsaved
    className="fill-none stroke-accent"
    height={BAR_PX + 5}
    radius={3}
    strokeWidth={2}
    width={Math.max(end - start, 0.008) * widthPx}
    x={start * widthPx}
    y={toBarTop(row) - 2.5}
  />
)
