import type { RefObject } from 'react'
import { formatUtc } from '#components/format/instants.ts'

/** What a cell of a file holds: a text of any kind, a decimal as the answer gave it, or an instant (seconds since 1970). */
export type ChartColumn = { name: string; kind: 'text' | 'number' | 'instant' }
export type ChartCell = string | number | null

/** A word, or a list of which the first few are named and the others counted. */
export type NamePart = string | readonly string[]

/** What a chart says of itself when it is saved. */
export type ChartFacts = {
  /** What is drawn: `AAPL: rating and prediction over time`. */
  title: string
  /** What it spans and how: `2024-01-01 to 2024-08-02, by week`. */
  range: string
  /** The zone of its times: `UTC`. */
  zone: string
  /** How its figures come about, in a sentence or two. */
  rule: string
  /** The instant that it is judged at, and up to when the archive is complete; seconds since 1970. */
  asOf: number
  completeTo: number | null
  /** What its files are called after: `AAPL` or several symbols, `2024-01-01`, `2024-08-02`, `week`. */
  nameParts: readonly NamePart[]
  /** The points displayed, as the table beside the chart lists them, in the order of time. */
  columns: readonly ChartColumn[]
  rows: readonly (readonly ChartCell[])[]
}

/** Where a chart can be shown on a page of somebody else. */
export type ChartEmbed = {
  /** `/embed/symbols/AAPL`, and what it is asked with; `asof` only where the chart is rewound. */
  path: string
  params: URLSearchParams
  /** In pixels. */
  height: number
}

/** Who says so, and as of when: `ratings.example.org, archive complete to … UTC, as of … UTC`. */
export function toSource({ asOf, completeTo }: ChartFacts, host: string): string {
  const complete =
    completeTo === null
      ? 'archive not complete yet'
      : `archive complete to ${formatUtc(completeTo)}`
  return `${host}, ${complete}, as of ${formatUtc(asOf)}`
}

export type SaveChartProps = {
  /** What the chart shows at the moment; null while it shows nothing. Called while the menu is open. */
  toFacts: () => ChartFacts | null
  /** Where the same chart can be shown on another page; left out where it cannot. */
  embed?: ChartEmbed
}

export type SaveChartPanelProps = SaveChartProps & {
  /** The button, which stands within the figure. */
  anchor: RefObject<HTMLElement | null>
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}
