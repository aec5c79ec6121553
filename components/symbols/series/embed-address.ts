import { toSymbolEmbedHref } from '#components/address/page-address.ts'
import { type SeriesView, toSymbolPageParams } from '#components/address/series-address.ts'
import { PANES_HEIGHT, toChartHeight } from '#components/charts/chart-sizes.ts'
import type { ChartEmbed } from '#components/charts/save/chart-facts.ts'

/** Pixels. */
const CAPTION_PX = 120

const KEY_LINE_PX = 24

export const toSeriesEmbed = (symbol: string, view: SeriesView): ChartEmbed => ({
  path: toSymbolEmbedHref(symbol),
  params: toSymbolPageParams({ ...view, vs: [], hidden: [], mode: 'overlay', scale: 'rating' }),
  height: PANES_HEIGHT + CAPTION_PX,
})

export function toCompareEmbed(symbol: string, view: SeriesView): ChartEmbed {
  const drawn = Math.max(1, 1 + view.vs.length - view.hidden.length)
  const height = toChartHeight(view.mode, view.asTable ? 1 : drawn)
  return {
    path: toSymbolEmbedHref(symbol),
    params: toSymbolPageParams({ ...view, trend: 'percent', showsWeighted: false }),
    height: height + CAPTION_PX + Math.ceil(drawn / 2) * KEY_LINE_PX,
  }
}
