'use client'

import { AsOfLink } from '#components/time/as-of.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator, Submenu } from '#components/ui/menu.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toSymbolHref, toUserHref } from '#lib/contract/page-addresses.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toCellWords, toCopiedHeader, toCopiedValue } from './cell-values.ts'
import { type ColumnId, columnLabel } from './columns.ts'
import { copyNoted, openRating, toggleRow } from './commands.ts'
import { toFilterActions } from './filter-actions.ts'
import type { MenuRequest, RowContext } from './table-session.ts'

type CellMenuProps = { menu: MenuRequest; view: RatingsView; context: RowContext }

export function CellMenu({ menu, view, context }: CellMenuProps) {
  const { row, column, anchor, origin } = menu
  const about = { row, view, context }
  const { session, zone } = context
  const label = column
    ? `${columnLabel(column)}: ${toCellWords(row, column, { zone })}`
    : `Rating ${row.id}`
  return (
    <Menu
      label={label}
      anchor={anchor}
      onClose={() => session.set({ menu: null })}
      finalFocus={() => origin}
    >
      {column ? <CellItems {...about} column={column} /> : <RowValues {...about} />}
      <MenuSeparator />
      <RowItems {...about} />
      {column && (
        <Submenu label="All values of this row">
          <RowValues {...about} />
        </Submenu>
      )}
    </Menu>
  )
}

type AboutRow = { row: RatingRow; view: RatingsView; context: RowContext }

const RowValues = ({ row, view, context }: AboutRow) =>
  context.shown.map((column) => (
    <Submenu
      key={column}
      label={columnLabel(column)}
      detail={toCellWords(row, column, { zone: context.zone })}
    >
      <CellItems row={row} view={view} context={context} column={column} />
    </Submenu>
  ))

function CellItems({ row, view, context, column }: AboutRow & { column: ColumnId }) {
  const { zone, session } = context
  const filters = toFilterActions(column, { row, view, reading: { zone } })
  const text = toCopiedValue(row, column, zone)
  const isShort = text !== '' && text.length <= 24
  const what = isShort ? toVisibleText(text) : toCopiedHeader(column, zone)
  return (
    <>
      {filters.map(({ label, to }) => (
        <MenuItem key={label} label={label} onSelect={() => context.change(to)} />
      ))}
      {filters.length > 0 && <MenuSeparator />}
      {column === 'symbol' && (
        <MenuLink
          link={
            <AsOfLink href={toSymbolHref(toSymbolKey(row.symbol))}>
              Go to {toVisibleText(row.symbol)}
            </AsOfLink>
          }
        />
      )}
      {column === 'user_id' && (
        <MenuLink
          link={<AsOfLink href={toUserHref(row.user_id)}>Go to user {row.user_id}</AsOfLink>}
        />
      )}
      <MenuItem label={`Copy ${what}`} onSelect={() => void copyNoted(text, what, session)} />
    </>
  )
}

function RowItems({ row, context }: AboutRow) {
  const isSelected = context.session.get().selected.has(row.id)
  return (
    <>
      <MenuItem label="Open rating" shortcut="Enter" onSelect={() => openRating(row.id, context)} />
      <MenuItem
        label={isSelected ? 'Deselect row' : 'Select row'}
        shortcut="Space"
        onSelect={() => toggleRow(row, context)}
      />
    </>
  )
}
