import { COMPARE_HEIGHT, PANES_HEIGHT } from '#components/charts/chart-sizes.ts'
import type { ChartEmbed } from '#components/charts/save/chart-facts.ts'
import { type SeriesView, symbolPageQuery } from '#components/symbols/series-view.ts'
import { toSymbolEmbedHref } from '#lib/contract/page-addresses.ts'
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
    height: COMPARE_HEIGHT + CAPTION_PX + Math.ceil(lines / 2) * KEY_LINE_PX,
  }
}
