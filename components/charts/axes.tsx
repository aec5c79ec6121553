import { Curve } from 'recharts'
import { ratingStyle } from '#components/marks/rating-marks.tsx'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import { type PaneFrame, RATINGS } from './chart-data.ts'
import { WIDE_ONLY } from './chart-sizes.ts'
import { type Drawing, type PlacedEdge, toShare } from './layout.ts'
import { toSegmentPoints } from './paths.ts'
import { type PaneScale, TIME_AXIS_HEIGHT, toY } from './scales.ts'
import { toX } from './time-axis.ts'

const GAP = 8

type GridProps = { frame: PaneFrame; scale: PaneScale; ticks: readonly number[] }

export const GridLines = ({ frame, scale, ticks }: GridProps) => (
  <Curve
    className="forced-colors:[stroke:GrayText]"
    points={toSegmentPoints(ticks.map((tick) => toAcross(frame, toY(scale, tick))))}
    stroke="var(--line)"
  />
)

export const ZeroLine = ({ frame, y }: { frame: PaneFrame; y: number }) => (
  <Curve
    className="forced-colors:[stroke:CanvasText]"
    points={toSegmentPoints([toAcross(frame, y)])}
    stroke="var(--edge)"
  />
)

const toAcross = ({ left, right, width }: PaneFrame, y: number) => ({
  x1: left,
  y1: y,
  x2: width - right,
  y2: y,
})

type ValueTextsProps = Omit<GridProps, 'frame'> & { format: (value: number) => string }

export const ValueTexts = ({ scale, ticks, format }: ValueTextsProps) => (
  <g fill="var(--ink-3)" fontSize={11} textAnchor="end">
    {ticks.map((tick) => (
      <text key={tick} dy="0.355em" x={-GAP} y={toY(scale, tick)}>
        {format(tick)}
      </text>
    ))}
  </g>
)

export const TimeTexts = ({ frame, height }: { frame: PaneFrame; height: number }) => (
  <g fill="var(--ink-3)" fontSize={11} textAnchor="middle">
    {frame.ticks.map(({ at, label }) => (
      <text
        key={at}
        dy="0.71em"
        x={toShare(frame, toX(frame, at))}
        y={height - TIME_AXIS_HEIGHT + GAP}
      >
        {label}
      </text>
    ))}
  </g>
)

/** Pixels; the plot begins at 0. */
const RIGHT = -8

export function RatingAxis({ scale }: { scale: PaneScale }) {
  return (
    <g fontSize={11} textAnchor="end">
      {RATINGS.map((rating) => {
        const y = toY(scale, rating)
        return (
          <g key={rating}>
            <text dy="0.355em" fill="var(--ink-3)" x={RIGHT} y={y}>
              {rating}
            </text>
            <text
              dy="0.355em"
              fill={`var(--rating-text-${rating})`}
              fontSize={8}
              letterSpacing={-0.5}
              textAnchor="middle"
              x={RIGHT - 18}
              y={y}
            >
              {ratingStyle(rating).glyph}
            </text>
            <text
              className={WIDE_ONLY}
              dy="0.355em"
              fill={`var(--rating-text-${rating})`}
              x={RIGHT - 28}
              y={y}
            >
              {ratingLabel(rating)}
            </text>
          </g>
        )
      })}
    </g>
  )
}

type NowLineProps = { now: number | null; bottom: number }

export function NowLine({ now, bottom }: NowLineProps) {
  if (now === null) return null
  const x = Math.round(now) + 0.5
  return (
    <Curve
      className="forced-colors:[stroke:CanvasText]"
      points={toSegmentPoints([{ x1: x, y1: 0, x2: x, y2: bottom }])}
      stroke="var(--line-2)"
    />
  )
}

export const LabelBands = ({ frame, scale }: Omit<GridProps, 'ticks'>) =>
  RATINGS.map((rating) => (
    <rect
      key={rating}
      className="forced-colors:hidden"
      fill={`var(--rating-${rating})`}
      fillOpacity={BAND_OPACITIES[rating - 1]}
      height={toY(scale, rating - 0.5) - toY(scale, rating + 0.5)}
      width={frame.width - frame.left - frame.right}
      x={frame.left}
      y={toY(scale, rating + 0.5)}
    />
  ))

const BAND_OPACITIES = [0.08, 0.06, 0.05, 0.06, 0.09]

/** Keeps text readable over lines. */
const HALO = {
  paintOrder: 'stroke',
  stroke: 'var(--surface)',
  strokeLinejoin: 'round',
  strokeWidth: 3,
} as const

type LastTextProps = { text: string | null; x: string; y: number; isAside?: boolean }

export const LastText = ({ text, x, y, isAside = false }: LastTextProps) => (
  <text
    dx={isAside ? GAP : 0}
    dy="0.355em"
    fill="var(--ink)"
    fontSize={isAside ? 11 : 13}
    fontWeight={600}
    {...HALO}
    textAnchor={isAside ? 'start' : 'middle'}
    x={x}
    y={y}
  >
    {text}
  </text>
)

type OffScaleTextsProps = Pick<
  Drawing,
  'frame' | 'percents' | 'percentScale' | 'predicted' | 'offScale'
>

const EDGES = [
  { side: 'above', glyph: '▲', sign: 1 },
  { side: 'below', glyph: '▼', sign: -1 },
] as const

/** Marks what is clipped to the edges of the prediction pane. */
export const OffScaleTexts = ({ offScale, ...drawing }: OffScaleTextsProps) =>
  EDGES.map(({ side, glyph, sign }) => {
    const { frame, percents, percentScale, predicted } = drawing
    const text = offScale[side]
    if (text === null) return null
    const y = toY(percentScale, sign * percents.bound)
    return (
      <g key={side} data-mark="off-scale" fontSize={11}>
        {predicted
          .filter(({ prediction }) => prediction * sign > percents.bound)
          .map(({ id, rating, x }) => (
            <text
              key={id}
              dy="0.355em"
              fill={`var(--rating-text-${rating})`}
              textAnchor="middle"
              x={toShare(frame, x)}
              y={y}
            >
              {glyph}
            </text>
          ))}
        <text
          dx={GAP}
          dy="0.355em"
          fill="var(--ink-2)"
          {...HALO}
          x="0%"
          y={y + sign * OFF_SCALE_INSET}
        >
          {glyph} {text}
        </text>
      </g>
    )
  })

/** Pixels; the text is beside the edge, inside the pane. */
const OFF_SCALE_INSET = 10

export function EdgeLabel({ edge, frame }: { edge: PlacedEdge; frame: PaneFrame }) {
  const { x, left, width, y, text } = edge
  const isBefore = left < x
  return (
    <text
      dx={isBefore ? left + width - x : left - x}
      dy="0.355em"
      fill="var(--ink-2)"
      fontSize={10}
      {...HALO}
      textAnchor={isBefore ? 'end' : 'start'}
      x={toShare(frame, x)}
      y={y}
    >
      {text}
    </text>
  )
}
