import { knownColumns, type Layout } from '#components/list/columns/column-settings.ts'

type ColumnFact = {
  label: string
  widthPx: number
  isNumeric?: boolean
  isLeastFirst?: boolean
}

/**
 * In the default order; keys are sort fields. The widths must fit from a window width of 1280 px
 * on.
 */
export const COLUMN_FACTS = {
  symbol: { label: 'Symbol', widthPx: 62, isLeastFirst: true },
  user_id: { label: 'User', widthPx: 52, isNumeric: true, isLeastFirst: true },
  rating: { label: 'Rating', widthPx: 202 },
  action: { label: 'Action', widthPx: 107, isLeastFirst: true },
  prediction: { label: 'Prediction', widthPx: 130, isNumeric: true },
  tally_agree: { label: 'Agree', widthPx: 64, isNumeric: true },
  tally_disagree: { label: 'Disagree', widthPx: 60, isNumeric: true },
  tally_comment: { label: 'Comments', widthPx: 70, isNumeric: true },
  created_at: { label: 'Posted', widthPx: 132 },
  expired_at: { label: 'Expires', widthPx: 68, isNumeric: true, isLeastFirst: true },
  id: { label: 'ID', widthPx: 67, isNumeric: true },
} as const satisfies Record<string, ColumnFact>

export type ColumnId = keyof typeof COLUMN_FACTS

export const columnFact = (id: ColumnId): ColumnFact => COLUMN_FACTS[id]

export const COLUMN_IDS = Object.keys(COLUMN_FACTS).filter(isColumnId)

export function isColumnId(name: string): name is ColumnId {
  return Object.hasOwn(COLUMN_FACTS, name)
}

export const RATINGS_TABLE = { path: 'ratings', table: COLUMN_IDS }

const CHECK_PX = 14

export const ownWidth = (id: ColumnId, isFirst: boolean): number =>
  COLUMN_FACTS[id].widthPx + (isFirst ? CHECK_PX : 0)

/** Columns that an address names override the settings. */
export function toLayout(settings: Layout<ColumnId>, named: readonly string[]): Layout<ColumnId> {
  const shown = knownColumns(named, settings.order)
  if (shown.length === 0) return settings
  const hidden = settings.order.filter((id) => !shown.includes(id))
  return { order: [...shown, ...hidden], hidden }
}

export const shownColumns = ({ order, hidden }: Layout<ColumnId>): ColumnId[] =>
  order.filter((id) => !hidden.includes(id))
