'use client'

import type { SeriesView } from '#components/address/series-address.ts'
import { PANES_HEIGHT } from '#components/charts/chart-sizes.ts'
import { EmbedRule, EmbedText } from '#components/embed/embed-frame.tsx'
import { formatUtc } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import type { Opinion, SeriesAnswer } from '#lib/contract/answers/opinion.ts'
import { toJudged } from './series/buckets.ts'
import { SeriesChart, SeriesKey, SeriesTable, toRuleText } from './series/series-chart.tsx'
import { isNothing } from './series/series-controls.tsx'
import { toSeriesSummary } from './series/series-texts.ts'

type EmbeddedSeriesProps = {
  view: SeriesView
  /** The symbol's first rating, in seconds since 1970. */
  first: number
  answer: SeriesAnswer
  pending: Opinion['pending']
}

/** The chart of a symbol, or its table, with the rule that it was made by. */
export function EmbeddedSeries({
  answer: { data, meta },
  view,
  first,
  pending,
}: EmbeddedSeriesProps) {
  const formats = useFormats()
  const name = `Rating and prediction over time, ${data.symbol}`
  const judged = toJudged(data.bucket, view.asof, meta.as_of)
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-2">
      <div className="min-w-0" style={{ height: PANES_HEIGHT }}>
        {isNothing(data) ? (
          <EmbedText title="No rating was posted or active in this range">
            The first rating came at {formatUtc(first)}.
          </EmbedText>
        ) : view.asTable ? (
          <SeriesTable judged={judged} minimum={view.minimum} name={name} series={data} />
        ) : (
          <SeriesChart
            extent={{ from: first, to: meta.as_of }}
            pending={pending}
            series={data}
            view={view}
          />
        )}
      </div>
      {!isNothing(data) && (
        <p className="sr-only">{toSeriesSummary({ ...data, ...judged }, view.minimum, formats)}</p>
      )}
      <EmbedRule rule={toRuleText(data, view, pending.length > 0)}>
        {!view.asTable && !isNothing(data) && <SeriesKey minimum={view.minimum} series={data} />}
      </EmbedRule>
    </figure>
  )
}
