'use client'

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { PANES_HEIGHT } from '#components/charts/pane-sizes.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { seriesOptions } from '#lib/client/query-options.ts'
import { toJudged } from './bucket-words.ts'
import { DrawingControls } from './drawing-controls.tsx'
import { toSeriesParams } from './series-address.ts'
import { SeriesChart, type SeriesChartProps } from './series-chart.tsx'
import { type ChangeView, SeriesControls } from './series-controls.tsx'
import { SeriesKey } from './series-key.tsx'
import { SeriesNotes } from './series-notes.tsx'
import { isNothing, NothingInRange } from './series-nothing.tsx'
import { SeriesTable } from './series-table.tsx'

type SeriesFigureProps = Omit<SeriesChartProps, 'series' | 'change'> & {
  symbol: string
  change: ChangeView
  /** What makes a file of the figure. */
  save?: ReactNode
}

/** Rating and prediction of a symbol over time, as a chart or as the table of the same points. */
export function SeriesFigure({ symbol, save, ...drawing }: SeriesFigureProps) {
  const { view, change, extent, pending } = drawing
  const { data, error, refetch, isPending, isPlaceholderData } = useQuery(
    seriesOptions(symbol, toSeriesParams(view)),
  )
  const areaId = useId()
  const name = `Rating and prediction over time, ${symbol}`
  const series = data?.data
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-2 p-4 pl-3">
      <h2 className="sr-only">{name}</h2>
      <SeriesControls
        areaId={areaId}
        change={change}
        drawn={series?.bucket ?? null}
        extent={extent}
        save={save}
        view={view}
      />
      <DrawingControls change={change} last={series?.points.at(-1)} view={view} />
      {error !== null && series !== undefined && (
        <FailureNotice
          error={error}
          kept="What stands below was loaded earlier."
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
        {series !== undefined && <SeriesArea {...drawing} name={name} series={series} />}
      </div>
      {series !== undefined && !isNothing(series) && (
        <>
          {!view.asTable && <SeriesKey minimum={view.minimum} series={series} />}
          <SeriesNotes
            judged={toJudged(series.bucket, view.asof, extent.to)}
            series={series}
            showsAhead={pending.length > 0}
            view={view}
          />
        </>
      )}
    </figure>
  )
}

type SeriesAreaProps = SeriesChartProps & { name: string; change: ChangeView }

function SeriesArea({ name, ...drawing }: SeriesAreaProps) {
  const { series, view, change, extent } = drawing
  if (isNothing(series)) return <NothingInRange change={change} extent={extent} view={view} />
  if (view.asTable) {
    const judged = toJudged(series.bucket, view.asof, extent.to)
    return <SeriesTable judged={judged} minimum={view.minimum} name={name} series={series} />
  }
  return <SeriesChart {...drawing} />
}
