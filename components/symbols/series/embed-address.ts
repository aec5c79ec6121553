import { toSymbolEmbedHref } from '#components/address/page-address.ts'
import { type SeriesView, toSymbolPageParams } from '#components/address/series-address.ts'
import { PANES_HEIGHT, toChartHeight } from '#components/charts/chart-sizes.ts'
import type { ChartEmbed } from '#components/charts/save/chart-facts.ts'

/** What stands around the panes, in pixels: the caption above, the rule's line below, the margins. */
const CAPTION_PX = 120

/** A line of a comparison's legend, which holds two symbols where the frame is narrow. */
const KEY_LINE_PX = 24

/** Where the chart of a symbol can be shown on another page, and how high a frame has to be so that nothing scrolls. */
export const toSeriesEmbed = (symbol: string, view: SeriesView): ChartEmbed => ({
  path: toSymbolEmbedHref(symbol),
  params: toSymbolPageParams({ ...view, vs: [], hidden: [], mode: 'overlay', scale: 'rating' }),
  height: PANES_HEIGHT + CAPTION_PX,
})

/** The same of a symbol beside those that it is compared with. */
export function toCompareEmbed(symbol: string, view: SeriesView): ChartEmbed {
  const drawn = Math.max(1, 1 + view.vs.length - view.hidden.length)
  const height = toChartHeight(view.mode, view.asTable ? 1 : drawn)
  return {
    path: toSymbolEmbedHref(symbol),
    params: toSymbolPageParams({ ...view, trend: 'percent', showsWeighted: false }),
    height: height + CAPTION_PX + Math.ceil(drawn / 2) * KEY_LINE_PX,
  }
}
