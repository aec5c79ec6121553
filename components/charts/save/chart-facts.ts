import { formatUtc } from '#components/format/instants.ts'
import type { ViewLinks } from '#lib/contract/page-addresses.ts'

/** `number` is a decimal as the API returned it, `instant` is seconds since 1970. */
export type ChartColumn = { name: string; kind: 'text' | 'number' | 'instant' }
export type ChartCell = string | number | null

export type NamePart = string | readonly string[]

export type ChartFacts = {
  /** `AAPL: rating and prediction over time` */
  title: string
  /** `2024-01-01 to 2024-08-02, by week` */
  range: string
  zone: string
  rule: string
  /** Seconds since 1970. */
  asOf: number
  completeTo: number | null
  nameParts: readonly NamePart[]
  columns: readonly ChartColumn[]
  rows: readonly (readonly ChartCell[])[]
}

export type ChartEmbed = {
  path: string
  params: URLSearchParams
  /** Pixels. */
  height: number
}

export function toSource({ asOf, completeTo }: ChartFacts, host: string): string {
  const complete =
    completeTo === null
      ? 'archive not complete yet'
      : `archive complete to ${formatUtc(completeTo)}`
  return `${host}, ${complete}, as of ${formatUtc(asOf)}`
}

export type SaveChartProps = {
  links?: ViewLinks
  /** Null while the chart shows nothing. */
  toFacts: () => ChartFacts | null
  embed?: ChartEmbed
}
