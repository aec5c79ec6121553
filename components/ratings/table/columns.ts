import {
  type ColumnList,
  knownColumns,
  type Layout,
} from '#components/list/columns/column-settings.ts'
import type { Field } from '#lib/contract/lists/define-list.ts'
import { ratingList } from '#lib/contract/lists/ratings.ts'

/**
 * In pixels, in the default order; keys are sort fields. They must fit from a window width of
 * 1280 px on.
 */
const WIDTHS = {
  symbol: 71,
  user_id: 52,
  rating: 193,
  action: 107,
  prediction: 130,
  tally_agree: 64,
  tally_disagree: 60,
  tally_comment: 70,
  created_at: 128,
  expired_at: 72,
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

export const RATINGS_TABLE: ColumnList<ColumnId> = {
  path: 'ratings',
  table: COLUMN_IDS,
  hidden: ['id'],
}

const CHECK_PX = 14

export function usualSizes(first: ColumnId | undefined): Record<ColumnId, number> {
  const sizes = { ...WIDTHS }
  return first === undefined ? sizes : { ...sizes, [first]: sizes[first] + CHECK_PX }
}

export type ColumnSizes = Readonly<Record<ColumnId, number>>

/** The label alone, as beside the sheet. */
export const RATING_LEAST_PX = 124

/** As in `ratings-table.css`; beside the votes, the gap before them. */
export function paddingPx(id: ColumnId, shown: readonly ColumnId[]): number {
  const startPx = id === shown[0] ? 24 : 6
  const endPx = id === shown.at(-1) ? 10 : 6
  return startPx + endPx + (id === 'tally_agree' ? 6 : 0)
}

/** At most, in Geist at 14 px and weight 600; others may come from another font. */
const GLYPHS_PX = [
  [/\d/, 8.8],
  [/[.,:;'|!I-]/, 6.4],
  [/[MW@%mw]/, 13.8],
  [/[EFJLTZ]/, 8.6],
  [/[KPSXY]/, 9.4],
  [/[OQ]/, 10.7],
  [/[A-Z]/, 10.3],
  [/[a-z]/, 8.8],
  [/[!-~]/, 9.5],
] as const
const OTHER_PX = 15

export const toTextPx = (text: string): number =>
  Array.from(text).reduce(
    (sum, glyph) => sum + (GLYPHS_PX.find(([those]) => those.test(glyph))?.[1] ?? OTHER_PX),
    0,
  )

/** Columns that an address names override the settings. */
export function toLayout(settings: Layout<ColumnId>, named: readonly string[]): Layout<ColumnId> {
  const shown = knownColumns(named, settings.order)
  if (shown.length === 0) return settings
  const hidden = settings.order.filter((id) => !shown.includes(id))
  return { order: [...shown, ...hidden], hidden }
}

export const shownColumns = ({ order, hidden }: Layout<ColumnId>): ColumnId[] =>
  order.filter((id) => !hidden.includes(id))
