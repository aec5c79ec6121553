'use client'

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { SeriesView } from '#components/address/series-address.ts'
import { toPanesHeight } from '#components/charts/chart-sizes.ts'
import type { ChartColumn, ChartFacts } from '#components/charts/save/chart-facts.ts'
import { SaveChart } from '#components/charts/save/save-chart.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Checkbox, Segmented, Select } from '#components/ui/fields.tsx'
import { RuleNote } from '#components/ui/help-popover.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { useInBrowser } from '#components/ui/use-browser.ts'
import { attentionOptions } from '#lib/client/lookups-options.ts'
import { pricesOptions, seriesOptions } from '#lib/client/query-options.ts'
import type { SeriesAnswer, SeriesPoint } from '#lib/contract/answers/opinion.ts'
import type { PriceSeries } from '#lib/contract/answers/prices.ts'
import { seriesQuery } from '#lib/contract/api-queries.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { RATING_LABELS } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toAttentionParams, toDrawnAttention } from './attention.ts'
import { toJudged, toShownDays } from './buckets.ts'
import { toSeriesEmbed } from './embed-address.ts'
import { PRICE_RULE, toOwnCloses } from './price-points.ts'
import {
  SeriesChart,
  type SeriesChartProps,
  SeriesKey,
  SeriesNotes,
  SeriesTable,
  toRuleText,
} from './series-chart.tsx'
import { type ChangeView, isNothing, NothingInRange, SeriesControls } from './series-controls.tsx'

type SeriesFigureProps = Omit<SeriesChartProps, 'series' | 'prices' | 'change' | 'attention'> & {
  symbol: string
  usualMonths: number
  change: ChangeView
  /** What else is done with the page: on a phone the settings hold it. */
  controls: ReactNode
}

/** Rating and prediction of a symbol over time, as a chart or as the table of the same points. */
export function SeriesFigure({ symbol, usualMonths, controls, ...drawing }: SeriesFigureProps) {
  const { view, change, extent, pending } = drawing
  const { data, error, refetch, isPending, isPlaceholderData } = useQuery(
    seriesOptions(symbol, toParams(seriesQuery, view)),
  )
  const prices = usePrices(symbol, view)
  const height = toPanesHeight({ price: prices !== null, attention: true })
  const areaId = useId()
  const settingsId = useId()
  const [showsSettings, setShowsSettings] = useState(false)
  const name = `Rating and prediction over time, ${toVisibleText(symbol)}`
  const series = data?.data
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-2 p-4 pl-3">
      <h2 className="sr-only">{name}</h2>
      <SeriesControls
        areaId={areaId}
        change={change}
        drawn={series?.bucket ?? null}
        extent={extent}
        save={<SaveSeries showsAhead={pending.length > 0} symbol={symbol} view={view} />}
        settings={{
          id: settingsId,
          isOpen: showsSettings,
          onToggle: () => setShowsSettings(!showsSettings),
        }}
        usualMonths={usualMonths}
        view={view}
      />
      <div
        id={settingsId}
        className={classNames('print:hidden', !showsSettings && 'max-sm:hidden')}
      >
        <div className="flex flex-wrap gap-2 pb-2 pl-2 sm:hidden">{controls}</div>
        <DrawingControls
          change={change}
          hasPrices={prices !== null}
          last={series?.points.at(-1)}
          view={view}
        />
      </div>
      {error !== null && series !== undefined && (
        <FailureNotice
          error={error}
          kept="What is shown below was loaded earlier."
          onRetry={() => void refetch()}
          what="The series"
        />
      )}
      <div
        aria-busy={isPending || isPlaceholderData}
        className={classNames('min-w-0', isPlaceholderData && 'opacity-60')}
        id={areaId}
        style={{ height }}
      >
        {series === undefined && error === null && (
          <Skeleton className="rounded-lg" height={height} />
        )}
        {series === undefined && error !== null && (
          <FailureNotice error={error} onRetry={() => void refetch()} what="The series" />
        )}
        {series !== undefined && (
          <SeriesArea {...drawing} name={name} prices={prices} series={series} symbol={symbol} />
        )}
      </div>
      {series !== undefined && !isNothing(series) && (
        <>
          {!view.asTable && <SeriesKey minimum={view.minimum} series={series} />}
          <SeriesNotes
            hasPrices={prices !== null}
            judged={toJudged(series.bucket, view, extent.to)}
            series={series}
            showsAhead={pending.length > 0}
            view={view}
          />
        </>
      )}
    </figure>
  )
}

/** The symbol's closes in the range of a view; null where it has none, or they cannot be loaded: nobody misses them then. */
function usePrices(symbol: string, view: SeriesView): PriceSeries | null {
  const { data } = useQuery({ ...pricesOptions(symbol, toParams(seriesQuery, view)), retry: false })
  return data !== undefined && data.data.prices > 0 ? data.data : null
}

type SeriesAreaProps = SeriesChartProps & { name: string; symbol: string; change: ChangeView }

function SeriesArea({ name, symbol, ...drawing }: SeriesAreaProps) {
  const { series, prices, view, change, extent } = drawing
  if (isNothing(series)) return <NothingInRange change={change} extent={extent} view={view} />
  if (view.asTable) {
    const judged = toJudged(series.bucket, view, extent.to)
    return (
      <SeriesTable
        judged={judged}
        minimum={view.minimum}
        name={name}
        prices={prices}
        series={series}
      />
    )
  }
  return <AttendedChart {...drawing} symbol={symbol} />
}

/** The chart with the look-ups below it: they come behind the series, and nothing moves as they do. */
function AttendedChart({ symbol, ...drawing }: SeriesChartProps & { symbol: string }) {
  const { series, view } = drawing
  const params = useMemo(() => toAttentionParams(series, view.asof), [series, view.asof])
  const { data } = useQuery(attentionOptions(symbol, params))
  // The server draws without them, and so does the browser as it takes the page over.
  const isInBrowser = useInBrowser()
  const attention = useMemo(
    () => (data && isInBrowser ? toDrawnAttention(data.data, series) : null),
    [data, isInBrowser, series],
  )
  return <SeriesChart {...drawing} attention={attention} />
}

const MINIMA = [1, 3, 5, 10, 20]

const TREND_OPTIONS = [
  { value: 'count', label: 'Count' },
  { value: 'percent', label: 'Percent' },
] as const

const PRICE_OPTIONS = [
  { value: 'linear', label: 'Even' },
  { value: 'log', label: 'Logarithmic' },
] as const

const WEIGHTING = 'Σ w·rating ÷ Σ w, with w = max(0, 1 + agree − disagree)'

type DrawingControlsProps = {
  hasPrices: boolean
  view: SeriesView
  change: ChangeView
  /** The last point that is drawn; undefined before one is. */
  last: SeriesPoint | undefined
}

/** How the figure is drawn: gaps below which n, the trend's unit, and the line that votes weigh. */
function DrawingControls({ view, change, hasPrices, last }: DrawingControlsProps) {
  const { formatConsensus, formatCounted } = useFormats()
  const minima = [...new Set([...MINIMA, view.minimum])].sort((a, b) => a - b)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pl-2">
      <Select
        label="Minimum per point"
        onChange={({ target }) => change({ minimum: Number(target.value) })}
        options={minima.map((minimum) => ({
          value: String(minimum),
          label: formatCounted(minimum, 'active rating'),
        }))}
        value={String(view.minimum)}
      />
      <Segmented
        label="Bars"
        labelShown
        onChange={(trend) => change({ trend })}
        options={TREND_OPTIONS}
        value={view.trend}
      />
      {hasPrices && (
        <Segmented
          label="Price"
          labelShown
          onChange={(price) => change({ price })}
          options={PRICE_OPTIONS}
          value={view.price}
        />
      )}
      <span className="inline-flex items-center gap-1">
        <Checkbox
          checked={view.showsWeighted}
          label="Agreement-weighted line"
          onChange={({ target }) => change({ showsWeighted: target.checked })}
        />
        <RuleNote about="the agreement-weighted line">
          A second consensus, for which users voted: {WEIGHTING}, over the active ratings. One that
          nobody voted on counts once, one with more against it than for it not at all. Votes are
          known only as last seen.
        </RuleNote>
      </span>
      {view.showsWeighted && (
        <span className="text-sm text-ink-3">
          {WEIGHTING}; votes as last seen.
          {last?.weighted &&
            ` At the end ${formatConsensus(last.weighted)}, unweighted ${formatConsensus(last.consensus)}.`}
        </span>
      )}
    </div>
  )
}

type SaveSeriesProps = { symbol: string; view: SeriesView; showsAhead: boolean }

/** Files of a symbol's figure as it is displayed, and the lines that embed it. Stands within the figure. */
function SaveSeries({ symbol, view, showsAhead }: SaveSeriesProps) {
  const { data, isPlaceholderData } = useQuery(seriesOptions(symbol, toParams(seriesQuery, view)))
  const prices = usePrices(symbol, view)
  return (
    <SaveChart
      embed={toSeriesEmbed(symbol, view)}
      // What is seen while another range loads is not what the address says.
      toFacts={() =>
        data && !isPlaceholderData ? toSeriesFacts(data, { view, showsAhead, prices }) : null
      }
    />
  )
}

type FactsOptions = { view: SeriesView; showsAhead: boolean; prices?: PriceSeries | null }

/** What a symbol's figure says of itself when it is saved; its rows are those of its table, the earliest first. */
export function toSeriesFacts({ data, meta }: SeriesAnswer, options: FactsOptions): ChartFacts {
  const { view, showsAhead, prices = null } = options
  const closes = prices === null ? null : toOwnCloses(prices)
  const { symbol, bucket, points } = data
  const days = toShownDays(points[0], view, meta.as_of)
  return {
    title: `${toVisibleText(symbol)}: rating and prediction over time`,
    range: `${days.join(' to ')}, by ${bucket}`,
    zone: 'UTC',
    rule: [toRuleText(data, view, showsAhead), ...(closes === null ? [] : [PRICE_RULE])].join(' '),
    asOf: meta.as_of,
    completeTo: meta.complete_to,
    nameParts: [
      symbol,
      ...days,
      bucket,
      ...(view.asof === null ? [] : [`as-of-${toAsofParameter(view.asof)}`]),
    ],
    columns: closes === null ? COLUMNS : [...COLUMNS, number('close')],
    rows: points.map((point) => [
      ...[symbol, bucket, ...toRow(point, view.minimum)],
      ...(closes === null ? [] : [closes.get(point.t)?.close ?? null]),
    ]),
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
