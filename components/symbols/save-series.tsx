'use client'

import { useQuery } from '@tanstack/react-query'
import { SaveChart } from '#components/chart-files/save-chart.tsx'
import { seriesOptions } from '#lib/client/query-options.ts'
import { toSeriesEmbed } from './embed-address.ts'
import { type SeriesView, toSeriesParams } from './series-address.ts'
import { toSeriesFacts } from './series-facts.ts'

type SaveSeriesProps = { symbol: string; view: SeriesView; showsAhead: boolean }

/** Files of a symbol's figure as it is displayed, and the lines that embed it. Stands within the figure. */
export function SaveSeries({ symbol, view, showsAhead }: SaveSeriesProps) {
  const { data, isPlaceholderData } = useQuery(seriesOptions(symbol, toSeriesParams(view)))
  return (
    <SaveChart
      embed={toSeriesEmbed(symbol, view)}
      // What is seen while another range loads is not what the address says.
      toFacts={() =>
        data && !isPlaceholderData ? toSeriesFacts(data, { view, showsAhead }) : null
      }
    />
  )
}
