'use client'

import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { type LastTexts, RATINGS } from '#components/charts/chart-data.ts'
import { NARROW_ONLY } from '#components/charts/chart-sizes.ts'
import { LegendMark } from '#components/charts/panes-box.tsx'
import { TimePanes } from '#components/charts/time-panes.tsx'
import { formatConsensus, formatCount } from '#components/format/numbers.ts'
import { ratingStyle } from '#components/marks/rating-marks.tsx'
import type { SeriesView } from '#components/symbols/series-view.ts'
import { useAsOfHref } from '#components/time/as-of.tsx'
import { type Extent, toWholeDays } from '#components/time/time-range.ts'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { Opinion, Series, SeriesPoint } from '#lib/contract/answers/opinion.ts'
import type { PriceSeries } from '#lib/contract/answers/symbols.ts'
import { toRatingHref } from '#lib/contract/page-addresses.ts'
import { RATING_LABELS, ratingLabel } from '#lib/contract/rating-fields.ts'
import {
  BUCKET_SECONDS,
  type BucketContext,
  createBucketWords,
  toEdgeText,
  toJudged,
} from './buckets.ts'
import {
  createPriceReading,
  PRICE_RULE,
  toCloseText,
  toDrawnCloses,
  toOwnCloses,
} from './price-points.ts'
import type { ChangeView } from './series-controls.tsx'
import { selectMove, toAhead, toDots, toMoveRule, toTimePoints } from './series-points.ts'
import { createReading, toGivenText, toSeriesSummary } from './series-texts.ts'

export type SeriesChartProps = {
  series: Series
  /** Null if there is none or it is hidden. */
  prices?: PriceSeries | null
  view: SeriesView
  /** Undefined makes the chart read-only. */
  change?: ChangeView
  pending: Opinion['pending']
  extent: Extent
}

export function SeriesChart(props: SeriesChartProps) {
  const { series, prices = null, view, change, pending, extent } = props
  const router = useRouter()
  const withAsOf = useAsOfHref()
  const { asof, from, to } = view
  const points = useMemo(() => toTimePoints(series.points), [series])
  const dots = useMemo(() => toDots(series.ratings), [series])
  const judged = useMemo(
    () => toJudged(series.bucket, { asof, from, to }, extent.to),
    [series.bucket, asof, from, to, extent.to],
  )
  const closes = useMemo(
    () => (prices === null ? undefined : toDrawnCloses(series, prices)),
    [series, prices],
  )
  const describe = useMemo(() => {
    const read = createReading({ ...series, ...judged })
    if (prices === null) return read
    const readPrice = createPriceReading(series, prices)
    return (index: number) => {
      const { consensus, ...rest } = read(index)
      return {
        ...rest,
        consensus: [...consensus.slice(0, 1), ...readPrice(index), ...consensus.slice(1)],
      }
    }
  }, [series, prices, judged])
  const ahead = useMemo(
    () => toAhead(pending, { points: series.points, view: { asof }, end: extent.to }),
    [pending, series, asof, extent.to],
  )
  return (
    <TimePanes
      bucket={series.bucket}
      bucketSeconds={BUCKET_SECONDS[series.bucket]}
      closes={closes}
      describe={describe}
      dots={dots}
      edge={toEdgeText(judged)}
      last={toLastTexts(series)}
      {...(change && {
        onOpen: (id: number) => router.push(withAsOf(toRatingHref(id))),
        onZoom: (range: Extent) => change(toWholeDays(range, extent.to)),
      })}
      pending={ahead}
      points={points}
    />
  )
}

function toLastTexts({ points }: Series): LastTexts {
  const last = points.at(-1)
  const shown = last && last.active >= CONSENSUS_MIN ? last : null
  return {
    consensus: shown && formatConsensus(shown.consensus),
    median: shown && toGivenText(shown.prediction_median),
    active: `n=${formatCount(last?.active ?? 0)}`,
  }
}

const LABELS = Object.values(RATING_LABELS)

const HEADERS = [
  'Posted',
  'Active, n',
  'Consensus',
  'Median prediction',
  'Lower quartile',
  'Upper quartile',
  'Lowest',
  'Highest',
  ...LABELS,
]

type SeriesTableProps = {
  name: string
  series: Series
  prices?: PriceSeries | null
  judged: BucketContext
}

/** Hides figures of fewer than CONSENSUS_MIN ratings. */
export function SeriesTable(props: SeriesTableProps) {
  const { name, series, prices = null, judged } = props
  const closes = prices === null ? null : toOwnCloses(prices)
  const { toRow } = createBucketWords(judged)
  return (
    <TableFrame aria-label={name} className="h-full overflow-y-auto">
      <Table compact aria-label={name}>
        <TableHead className="sticky top-0 z-10 bg-surface">
          <HeaderCell className="sticky left-0 bg-surface">At the end of</HeaderCell>
          {HEADERS.map((header) => (
            <HeaderCell key={header} numeric>
              {header}
            </HeaderCell>
          ))}
          {closes && <HeaderCell numeric>Close</HeaderCell>}
        </TableHead>
        <tbody>
          {series.points.toReversed().map((point) => (
            <tr key={point.t}>
              <th
                className="sticky left-0 bg-surface pl-4 text-left font-normal whitespace-nowrap"
                scope="row"
              >
                {toRow(point.t)}
              </th>
              {toCells(point).map((text, index) => (
                <Cell key={HEADERS[index]} numeric>
                  {text}
                </Cell>
              ))}
              {closes && <Cell numeric>{toOwnText(closes.get(point.t))}</Cell>}
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

const toOwnText = (close: { close: string } | undefined) =>
  close === undefined ? '–' : toCloseText(close.close)

function toCells(point: SeriesPoint): string[] {
  const isEnough = point.active >= CONSENSUS_MIN
  const standing = (text: string | null) => formatConsensus(isEnough ? text : null)
  const given = (text: string | null) => toGivenText(isEnough ? text : null)
  return [
    formatCount(point.posted),
    formatCount(point.active),
    standing(point.consensus),
    given(point.prediction_median),
    given(point.prediction_q1),
    given(point.prediction_q3),
    given(point.prediction_low),
    given(point.prediction_high),
    ...point.by_rating.map(formatCount),
  ]
}

export const SeriesKey = () => (
  <div className="@container">
    <ul
      aria-label="Key to the chart"
      className={`${NARROW_ONLY} flex flex-wrap gap-x-4 gap-y-1 pl-2 text-xs text-ink-3`}
      data-pane="legend"
    >
      {RATINGS.toReversed().map((rating) => (
        <li key={rating} className="flex items-center gap-1.5">
          <LegendMark colour={`var(--rating-${rating})`} mark="block" />
          {ratingStyle(rating).glyph} {ratingLabel(rating)}
        </li>
      ))}
    </ul>
  </div>
)

type SeriesNotesProps = {
  hasPrices: boolean
  series: Series
  judged: BucketContext
  view: SeriesView
  showsAhead: boolean
}

export function SeriesNotes(props: SeriesNotesProps) {
  const { hasPrices, series, judged, view, showsAhead } = props
  return (
    <details className="pl-2 text-sm text-ink-3">
      <summary className="min-h-6 cursor-pointer max-sm:py-2">
        Method<span className="sr-only"> of the chart</span>
      </summary>
      <p className="max-w-text pt-1 text-ink-2">{toSeriesSummary({ ...series, ...judged })}</p>
      <p className="max-w-text pt-1.5">
        {toRuleText(series, view, showsAhead)}
        {hasPrices && ` ${PRICE_RULE}`}
      </p>
    </details>
  )
}

export function toRuleText(series: Series, { asTable }: SeriesView, showsAhead: boolean) {
  const { bucket, posted, ratings } = series
  const rule = [
    `Consensus: the mean of the ratings (1 Strong Sell to 5 Strong Buy) that were active at the end of each ${bucket}, one for each user; not ${asTable ? 'given' : 'drawn'} where fewer than ${CONSENSUS_MIN} are.`,
    'Active: posted, not expired, not replaced by the user’s next rating.',
    'Predictions are those of the same ratings: median, middle half (quartiles by nearest rank), lowest and highest.',
  ]
  const drawn = ['Bars: the active ratings by label.']
  if (ratings.length === posted && posted > 0) drawn.push('Dots: single ratings.')
  const move = selectMove(series.points) === null ? [] : [toMoveRule(bucket)]
  if (showsAhead) drawn.push('Dotted: what is left if nobody renews.')
  const days = 'Days are those of UTC, weeks begin on Monday.'
  return [...rule, ...(asTable ? [] : drawn), ...move, days].join(' ')
}
