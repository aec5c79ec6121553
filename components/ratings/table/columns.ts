import { knownColumns, type Layout } from '#components/list/columns/column-settings.ts'
import type { Field } from '#lib/contract/lists/define-list.ts'
import { ratingList } from '#lib/contract/lists/ratings.ts'

/**
 * In pixels, in the default order; keys are sort fields. They must fit from a window width of
 * 1280 px on.
 */
const WIDTHS = {
  symbol: 62,
  user_id: 52,
  rating: 202,
  action: 107,
  prediction: 130,
  tally_agree: 64,
  tally_disagree: 60,
  tally_comment: 70,
  created_at: 132,
  expired_at: 68,
  id: 67,
} as const satisfies Partial<Record<keyof typeof ratingList.fields, number>>

export type ColumnId = keyof typeof WIDTHS

export const toColumnField = (id: ColumnId): Field => ratingList.fields[id]

export const columnLabel = (id: ColumnId): string => ratingList.fields[id].label

export const COLUMN_IDS = Object.keys(WIDTHS).filter(isColumnId)

export const SORTABLE_COLUMNS = COLUMN_IDS.map((id) => {
  const { label, sort = 'desc' } = toColumnField(id)
  return { id, label, first: sort }
})

export function isColumnId(name: string): name is ColumnId {
  return Object.hasOwn(WIDTHS, name)
}

export const RATINGS_TABLE = { path: 'ratings', table: COLUMN_IDS }

const CHECK_PX = 14

export const ownWidth = (id: ColumnId, isFirst: boolean): number =>
  WIDTHS[id] + (isFirst ? CHECK_PX : 0)

/** Columns that an address names override the settings. */
export function toLayout(settings: Layout<ColumnId>, named: readonly string[]): Layout<ColumnId> {
  const shown = knownColumns(named, settings.order)
  if (shown.length === 0) return settings
  const hidden = settings.order.filter((id) => !shown.includes(id))
  return { order: [...shown, ...hidden], hidden }
}

export const shownColumns = ({ order, hidden }: Layout<ColumnId>): ColumnId[] =>
  order.filter((id) => !hidden.includes(id))
