'use client'

import { RATINGS } from '#components/charts/density.ts'
import { LegendMark, type Mark } from '#components/charts/legend-mark.tsx'
import { NARROW_ONLY } from '#components/charts/pane-sizes.ts'
import { toBoundText, toPredictionScale } from '#components/charts/prediction-scale.ts'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ratingStyle } from '#components/marks/rating-marks.tsx'
import type { Series } from '#lib/contract/answers/opinion.ts'
import { ratingLabel } from '#lib/contract/rating-codes.ts'
import { selectMoves } from './series-moves.ts'
import { toDots, toTimePoints } from './to-time-points.ts'

type SeriesKeyProps = { series: Series; minimum: number }

/** What a narrow chart's titles have no room for: the marks that they leave out, and the bars' labels. */
export function SeriesKey({ series, minimum }: SeriesKeyProps) {
  const formats = useFormats()
  return (
    <div className="@container">
      <ul
        aria-label="Key to the chart"
        className={`${NARROW_ONLY} flex flex-wrap gap-x-4 gap-y-1 pl-2 text-xs text-ink-3`}
        data-pane="legend"
      >
        {toItems(series, minimum, formats).map(({ mark, label, colour }) => (
          <li key={label} className="flex items-center gap-1.5">
            <LegendMark mark={mark} {...(colour && { colour })} />
            {label}
          </li>
        ))}
      </ul>
    </div>
  )
}

type Item = { mark: Mark; label: string; colour?: string }

function toItems(series: Series, minimum: number, formats: Formats): Item[] {
  const { bucket, ratings, posted } = series
  const points = toTimePoints(series.points, minimum)
  const { bound, beyond } = toPredictionScale(points, toDots(ratings))
  const buckets = formats.formatCounted(points.length, bucket)
  return [
    { mark: 'line', label: 'consensus' },
    ratings.length < posted
      ? { mark: 'block', label: `posted that ${bucket}: the more, the darker`, colour: BUY }
      : { mark: 'dot', label: 'one rating', colour: BUY },
    ...(selectMoves(series, minimum).length > 0
      ? [{ mark: 'dotted', label: 'notable move', colour: 'var(--ink-3)' } as const]
      : []),
    { mark: 'faint', label: 'lowest and highest', colour: 'var(--ink-3)' },
    ...(beyond > 0
      ? [
          {
            mark: 'tick',
            label: `beyond ${toBoundText(bound, formats)}: ${formats.formatCount(beyond)} of ${buckets}`,
          } as const,
        ]
      : []),
    ...RATINGS.toReversed().map(
      (rating): Item => ({
        mark: 'block',
        label: `${ratingStyle(rating).glyph} ${ratingLabel(rating)}`,
        colour: `var(--rating-${rating})`,
      }),
    ),
  ]
}

const BUY = 'var(--rating-4)'
