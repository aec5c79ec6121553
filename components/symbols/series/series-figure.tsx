'use client'

import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { PANES_HEIGHT } from '#components/charts/chart-sizes.ts'
import type { ChartColumn, ChartFacts } from '#components/charts/save/chart-facts.ts'
import { SaveChart } from '#components/charts/save/save-chart.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import type { SeriesView } from '#components/symbols/series-view.ts'
import { classNames } from '#components/ui/class-names.ts'
import { Select } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { pricesOptions, seriesOptions } from '#lib/client/symbol-options.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { SeriesAnswer, SeriesPoint } from '#lib/contract/answers/opinion.ts'
import type { PriceSeries } from '#lib/contract/answers/symbols.ts'
import { BUCKETS, seriesQuery } from '#lib/contract/api-queries.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import { toSymbolLinks } from '#lib/contract/page-addresses.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { RATING_LABELS } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toJudged, toShownDays } from './buckets.ts'
import { toSeriesEmbed } from './embed-address.ts'
import { PRICE_RULE, toFlagText, toOwnCloses } from './price-points.ts'
import {
  SeriesChart,
  type SeriesChartProps,
  SeriesKey,
  SeriesNotes,
  SeriesTable,
  toRuleText,
} from './series-chart.tsx'
import { type ChangeView, isNothing, NothingInRange, SeriesControls } from './series-controls.tsx'

type SeriesFigureProps = Omit<SeriesChartProps, 'series' | 'prices' | 'change'> & {
  symbol: string
  change: ChangeView
}

export function SeriesFigure({ symbol, ...drawing }: SeriesFigureProps) {
  const { view, change, extent, pending } = drawing
  const { data, error, refetch, isPending, isPlaceholderData } = useQuery(
    seriesOptions(symbol, toParams(seriesQuery, view)),
  )
  const prices = usePrices(symbol, view)
  const areaId = useId()
  const name = `Rating and prediction over time, ${toVisibleText(symbol)}`
  const series = data?.data
  const flagText = prices === null ? null : toFlagText(prices)
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-2 p-4 pl-3">
      <h2 className="sr-only">{name}</h2>
      <SeriesControls
        areaId={areaId}
        change={change}
        drawn={series?.bucket ?? null}
        extent={extent}
        save={<SaveSeries showsAhead={pending.length > 0} symbol={symbol} view={view} />}
        settings={<BucketSetting change={change} view={view} />}
        view={view}
      />
      {error !== null && series !== undefined && (
        <FailureNotice
          error={error}
          kept="The content below was loaded earlier."
          onRetry={() => void refetch()}
          what="The series"
        />
      )}
      <div
        aria-busy={isPending || isPlaceholderData}
        className={classNames('min-w-0', isPlaceholderData && 'opacity-60')}
        id={areaId}
        style={{ height: PANES_HEIGHT }}
      >
        {series === undefined && error === null && (
          <Skeleton className="rounded-lg" height={PANES_HEIGHT} />
        )}
        {series === undefined && error !== null && (
          <FailureNotice error={error} onRetry={() => void refetch()} what="The series" />
        )}
        {series !== undefined && (
          <SeriesArea {...drawing} name={name} prices={prices} series={series} />
        )}
      </div>
      {flagText !== null && <p className="pl-2 text-sm text-ink-3">{flagText}</p>}
      {series !== undefined && !isNothing(series) && (
        <>
          {!view.asTable && <SeriesKey />}
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

/** Null without prices or if they fail to load. */
function usePrices(symbol: string, view: SeriesView): PriceSeries | null {
  const { data } = useQuery({ ...pricesOptions(symbol, toParams(seriesQuery, view)), retry: false })
  return data !== undefined && data.data.prices > 0 ? data.data : null
}

type SeriesAreaProps = SeriesChartProps & { name: string; change: ChangeView }

function SeriesArea({ name, ...drawing }: SeriesAreaProps) {
  const { series, prices, view, change, extent } = drawing
  if (isNothing(series)) return <NothingInRange change={change} extent={extent} view={view} />
  if (view.asTable) {
    const judged = toJudged(series.bucket, view, extent.to)
    return <SeriesTable judged={judged} name={name} prices={prices} series={series} />
  }
  return <SeriesChart {...drawing} />
}

const BUCKET_OPTIONS = (['auto', ...BUCKETS] as const).map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}))

type BucketSettingProps = { view: SeriesView; change: ChangeView }

const BucketSetting = ({ view, change }: BucketSettingProps) => (
  <Select
    label="Bucket"
    onChange={({ target }) => {
      const option = BUCKET_OPTIONS.find(({ value }) => value === target.value)
      if (option) change({ bucket: option.value })
    }}
    options={BUCKET_OPTIONS}
    value={view.bucket}
  />
)

type SaveSeriesProps = { symbol: string; view: SeriesView; showsAhead: boolean }

function SaveSeries({ symbol, view, showsAhead }: SaveSeriesProps) {
  const { data, isPlaceholderData } = useQuery(seriesOptions(symbol, toParams(seriesQuery, view)))
  const prices = usePrices(symbol, view)
  return (
    <SaveChart
      embed={toSeriesEmbed(symbol, view)}
      links={toSymbolLinks(symbol)}
      // While another range loads, the displayed data does not match the URL.
      toFacts={() =>
        data && !isPlaceholderData ? toSeriesFacts(data, { view, showsAhead, prices }) : null
      }
    />
  )
}

type FactsOptions = { view: SeriesView; showsAhead: boolean; prices?: PriceSeries | null }

export function toSeriesFacts({ data, meta }: SeriesAnswer, options: FactsOptions): ChartFacts {
  const { view, showsAhead, prices = null } = options
  const closes = prices === null ? null : toOwnCloses(prices)
  const { symbol, bucket, points } = data
  const days = toShownDays(points[0], view, meta.as_of)
  return {
    title: `${toVisibleText(symbol)}: rating and prediction over time`,
    range: `${days.join(' to ')}, by ${bucket}`,
    zone: 'UTC',
    rule: [
      toRuleText(data, view, showsAhead),
      ...(prices === null ? [] : [PRICE_RULE, toFlagText(prices) ?? []].flat()),
    ].join(' '),
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
      ...[symbol, bucket, ...toRow(point)],
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
  number('prediction_median'),
  number('prediction_q1'),
  number('prediction_q3'),
  number('prediction_low'),
  number('prediction_high'),
  ...Object.keys(RATING_LABELS).map((rating) => number(`r${rating}`)),
]

function toRow(point: SeriesPoint) {
  const standing = (text: string | null) => (point.active < CONSENSUS_MIN ? null : text)
  return [
    point.t,
    point.posted,
    point.active,
    standing(point.consensus),
    standing(point.prediction_median),
    standing(point.prediction_q1),
    standing(point.prediction_q3),
    standing(point.prediction_low),
    standing(point.prediction_high),
    ...point.by_rating,
  ]
}
