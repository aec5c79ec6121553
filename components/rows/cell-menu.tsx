'use client'

import { Fragment, useState } from 'react'
import { ZonedLink } from '#components/address/outlook.tsx'
import { COLUMN_FACTS } from '#components/columns/column-facts.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { toCellWords } from './cell-values.ts'
import { type MenuItem, toCellItems, toRowLevel } from './menu-items.ts'
import type { RowContext } from './row-context.ts'
import type { MenuRequest } from './row-session.ts'
import { useMenu } from './use-menu.ts'

type CellMenuProps = { menu: MenuRequest; view: RatingsView; context: RowContext }

/** What the values of a row are offered in: filters by one of them, or by each, one level further down. */
export function CellMenu({ menu, view, context }: CellMenuProps) {
  const { row, place, origin } = menu
  const [column, setColumn] = useState(menu.column)
  const reading = { formats: useFormats(), zone: context.zone }
  const asked = { row, view, reading, context }
  const name = column
    ? `${COLUMN_FACTS[column].label}: ${toCellWords(row, column, reading)}`
    : `Rating ${row.id}`
  const { element, onKeyDown, close } = useMenu({
    place,
    level: name,
    onBack: column ? () => setColumn(null) : undefined,
    onClose: (isByKey) => {
      context.session.set({ menu: null })
      if (isByKey && origin.isConnected) origin.focus({ preventScroll: true })
    },
  })
  const choose = (item: MenuItem) => {
    if ('level' in item) return setColumn(item.level)
    close(true)
    if ('run' in item) item.run()
  }
  return (
    <div
      ref={element}
      popover="manual"
      role="menu"
      tabIndex={-1}
      aria-label={name}
      onKeyDown={onKeyDown}
      className="cell-menu"
    >
      {(column ? toCellItems(column, asked) : toRowLevel(asked)).map((group, place) => (
        <Fragment key={group[0]?.label}>
          {place > 0 && <hr className="my-1" />}
          {group.map((item) => (
            <Item key={item.label} item={item} onChoose={() => choose(item)} />
          ))}
        </Fragment>
      ))}
    </div>
  )
}

function Item({ item, onChoose }: { item: MenuItem; onChoose: () => void }) {
  const content = (
    <>
      <span className="truncate">{item.label}</span>
      {item.detail && (
        // A finger has no use for the names of keys.
        <span
          className={classNames(
            'ml-auto truncate pl-4 text-ink-3',
            'run' in item && 'pointer-coarse:hidden',
          )}
        >
          {item.detail}
        </span>
      )}
    </>
  )
  const common = { role: 'menuitem', tabIndex: -1, className: 'cell-menu-item' } as const
  if ('href' in item) {
    return (
      <ZonedLink {...common} prefetch={false} href={item.href} onClick={onChoose}>
        {content}
      </ZonedLink>
    )
  }
  return (
    <button
      {...common}
      type="button"
      aria-haspopup={'level' in item ? 'menu' : undefined}
      onClick={onChoose}
    >
      {content}
      {'level' in item && (
        <span
          aria-hidden
          className={item.detail ? 'pl-1.5 text-ink-3' : 'ml-auto pl-1.5 text-ink-3'}
        >
          ›
        </span>
      )}
    </button>
  )
}
