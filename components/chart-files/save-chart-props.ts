import type { RefObject } from 'react'
import type { ChartEmbed, ChartFacts } from './chart-facts.ts'

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
