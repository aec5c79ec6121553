import { ratingStyle } from '#components/marks/rating-marks.tsx'
import { ratingLabel } from '#lib/contract/rating-codes.ts'
import { RATINGS } from './density.ts'
import { type PaneScale, toY } from './pane-scale.ts'
import { WIDE_ONLY } from './pane-sizes.ts'

/** Where the texts end: the plot begins at 0. */
const RIGHT = -8

/** The texts of the fixed scale from 1 to 5: number, glyph in its colour, and its name where there is room. */
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
