import type { ChartColumn, ChartFacts } from '#components/chart-files/chart-facts.ts'
import type { SeriesAnswer, SeriesPoint } from '#lib/contract/answers/opinion.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import { RATING_LABELS } from '#lib/contract/rating-codes.ts'
import type { SeriesView } from './series-address.ts'
import { toRuleText } from './series-notes.tsx'
import { toShownDays } from './shown-days.ts'

type FactsOptions = { view: SeriesView; showsAhead: boolean }

/** What a symbol's figure says of itself when it is saved; its rows are those of its table, the earliest first. */
export function toSeriesFacts({ data, meta }: SeriesAnswer, options: FactsOptions): ChartFacts {
  const { view, showsAhead } = options
  const { symbol, bucket, points } = data
  const days = toShownDays(points[0], view, meta.as_of)
  return {
    title: `${symbol}: rating and prediction over time`,
    range: `${days.join(' to ')}, by ${bucket}`,
    zone: 'UTC',
    rule: toRuleText(data, view, showsAhead),
    asOf: meta.as_of,
    completeTo: meta.complete_to,
    nameParts: [
      symbol,
      ...days,
      bucket,
      ...(view.asof === null ? [] : [`as-of-${toAsofParameter(view.asof)}`]),
    ],
    columns: COLUMNS,
    rows: points.map((point) => [symbol, bucket, ...toRow(point, view.minimum)]),
  }
}

const number = (name: string): ChartColumn => ({ name, kind: 'number' })

const COLUMNS: readonly ChartColumn[] = [
  { name: 'symbol', kind: 'text' },
  { name: 'bucket', kind: 'text' },
  { name: 'bucket_start', kind: 'instant' },
  number('posted'),
  number('active'),
  number('consensus'),
  number('weighted'),
  number('prediction_median'),
  number('prediction_q1'),
  number('prediction_q3'),
  number('prediction_low'),
  number('prediction_high'),
  ...Object.keys(RATING_LABELS).map((rating) => number(`r${rating}`)),
]

/** No figure of fewer than `minimum`, as in the chart and in the table. */
function toRow(point: SeriesPoint, minimum: number) {
  const standing = (text: string | null) => (point.active < minimum ? null : text)
  return [
    point.t,
    point.posted,
    point.active,
    standing(point.consensus),
    standing(point.weighted),
    standing(point.prediction_median),
    standing(point.prediction_q1),
    standing(point.prediction_q3),
    standing(point.prediction_low),
    standing(point.prediction_high),
    ...point.by_rating,
  ]
}
