import { toSymbolEmbedHref } from '#components/address/page-address.ts'
import { type SeriesView, symbolPageQuery } from '#components/address/series-address.ts'
import { PANES_HEIGHT, toChartHeight } from '#components/charts/chart-sizes.ts'
import type { ChartEmbed } from '#components/charts/save/chart-facts.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { only } from '#lib/contract/value-list.ts'

/** Pixels. */
const CAPTION_PX = 120

const KEY_LINE_PX = 24

export const toSeriesEmbed = (symbol: string, { from, to }: SeriesView): ChartEmbed => ({
  path: toSymbolEmbedHref(symbol),
  params: toParams(symbolPageQuery, { from, to }),
  height: PANES_HEIGHT + CAPTION_PX,
})

export function toCompareEmbed(symbol: string, { from, to, vs }: SeriesView): ChartEmbed {
  const lines = 1 + vs.length
  return {
    path: toSymbolEmbedHref(symbol),
    params: toParams(symbolPageQuery, { from, to, vs: only(...vs) }),
    height: toChartHeight('overlay', lines) + CAPTION_PX + Math.ceil(lines / 2) * KEY_LINE_PX,
  }
}
