import { COLUMN_FACTS, type ColumnId } from '#components/columns/column-facts.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { type Reading, toCellWords, toCopiedHeader, toCopiedValue } from './cell-values.ts'
import { toFilterActions } from './filter-actions.ts'
import { copyNoted, openRating, toggleRow } from './row-commands.ts'
import type { RowContext } from './row-context.ts'

/** One line of a menu. A link goes elsewhere, a level leads on within the menu, anything else is done. */
export type MenuItem = { label: string; detail?: string } & (
  | { href: string }
  | { level: ColumnId | null }
  | { run: () => void }
)

type Asked = { row: RatingRow; view: RatingsView; reading: Reading; context: RowContext }

/** The lines of a cell's menu, in groups: filters, what is done with the value, what is done with the row. */
export function toCellItems(column: ColumnId, asked: Asked): MenuItem[][] {
  const { row, view, reading, context } = asked
  const filters = toFilterActions(column, { row, view, reading })
  return [
    filters.map(({ label, to }) => ({ label, run: () => context.change(to) })),
    [...toPageItems(column, row), toCopyItem(column, asked)],
    [...toRowItems(asked), { label: 'All values of this row', level: null }],
  ].filter((group) => group.length > 0)
}

/** The lines of a row's menu: each of its values, which lead on, and what is done with the row. */
export function toRowLevel(asked: Asked): MenuItem[][] {
  const { row, reading, context } = asked
  const values = context.shown.map((column) => ({
    label: COLUMN_FACTS[column].label,
    detail: toCellWords(row, column, reading),
    level: column,
  }))
  return [values, toRowItems(asked)]
}

function toPageItems(column: ColumnId, { symbol, user_id }: RatingRow): MenuItem[] {
  if (column === 'symbol') {
    return [
      { label: `Go to ${symbol}`, href: `/symbols/${encodeURIComponent(toSymbolKey(symbol))}` },
    ]
  }
  return column === 'user_id' ? [{ label: `Go to user ${user_id}`, href: `/users/${user_id}` }] : []
}

function toCopyItem(column: ColumnId, { row, reading, context }: Asked): MenuItem {
  const text = toCopiedValue(row, column, reading.zone)
  const isShort = text !== '' && text.length <= 24
  const label = isShort ? `Copy ${text}` : `Copy ${toCopiedHeader(column, reading.zone)}`
  const what = isShort ? text : toCopiedHeader(column, reading.zone)
  return { label, run: () => void copyNoted(text, what, context.session) }
}

function toRowItems({ row, context }: Asked): MenuItem[] {
  const isSelected = context.session.get().selected.has(row.id)
  return [
    { label: 'Open rating', detail: 'Enter', run: () => openRating(row.id, context) },
    {
      label: isSelected ? 'Deselect row' : 'Select row',
      detail: 'Space',
      run: () => toggleRow(row, context),
    },
  ]
}
