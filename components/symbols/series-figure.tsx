'use client'

import { useQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import { useZonedAddress } from '#components/address/use-zoned-address.ts'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { PANES_HEIGHT } from '#components/charts/pane-sizes.ts'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { seriesOptions } from '#lib/client/query-options.ts'
import type { Series } from '#lib/contract/answers/symbols.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { withZone } from '#lib/contract/zone.ts'
import { readSeriesView, type SeriesView, toSeriesParams, toViewParams } from './series-address.ts'
import { SeriesChart } from './series-chart.tsx'
import { SeriesControls } from './series-controls.tsx'
import { SeriesNotes } from './series-notes.tsx'
import { SeriesTable } from './series-table.tsx'
import { toSymbolHref } from './symbol-address.ts'

type SeriesFigureProps = {
  symbol: string
  /** Now, by the archive's clock, in seconds since 1970. */
  asOf: number
}

/** Rating and prediction of a symbol over time, as a chart or as the table of the same points. */
export function SeriesFigure({ symbol, asOf }: SeriesFigureProps) {
  const { given, params, zone, ignored: badZone, write } = useZonedAddress()
  const { view, ignored } = useMemo(() => readSeriesView(params), [params])
  const { data, error, refetch, isPending, isPlaceholderData } = useQuery(
    seriesOptions(symbol, toSeriesParams(view)),
  )
  const areaId = useId()
  const name = `Rating and prediction over time, ${symbol}`
  const change = (changes: Partial<SeriesView>) => write(toViewParams({ ...view, ...changes }))
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-2 p-4 pl-3">
      <h2 className="sr-only">{name}</h2>
      <IgnoredNotice
        ignored={[...badZone, ...ignored]}
        params={given}
        href={`${toSymbolHref(symbol)}${toQueryText(withZone(toViewParams(view), zone))}`}
      />
      <SeriesControls
        areaId={areaId}
        asOf={asOf}
        change={change}
        drawn={data?.data.bucket ?? null}
        view={view}
      />
      {error !== null && data !== undefined && (
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
        {data === undefined && error === null && (
          <Skeleton className="rounded-lg" height={PANES_HEIGHT} />
        )}
        {data === undefined && error !== null && (
          <FailureNotice error={error} onRetry={() => void refetch()} what="The series" />
        )}
        {data !== undefined && <SeriesArea asTable={view.asTable} name={name} series={data.data} />}
      </div>
      {data !== undefined && <SeriesNotes series={data.data} />}
    </figure>
  )
}

function SeriesArea({ series, asTable, name }: { series: Series; asTable: boolean; name: string }) {
  if (series.points.length === 0) {
    return (
      <p className="flex h-full items-center justify-center text-ink-3">
        Nothing was posted or active in this range.
      </p>
    )
  }
  return asTable ? <SeriesTable name={name} series={series} /> : <SeriesChart series={series} />
}
