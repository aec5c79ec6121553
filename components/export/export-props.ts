import type { RefObject } from 'react'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'

export type ExportControlProps = {
  query: RatingsQuery
  /**
   * How many rows there are, the instant (in seconds) that they were counted at, and up to when nothing is missing; null
   * where nobody knows.
   */
  counted: { rows: number; asOf: number; completeTo: number | null } | null
  /** The columns of the table that are shown, in their order. */
  shown: readonly string[]
}

export type ExportPanelProps = ExportControlProps & {
  anchor: RefObject<HTMLElement | null>
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  /** How far an export is, 0 to 1; null where none goes on. */
  onShare: (share: number | null) => void
}
