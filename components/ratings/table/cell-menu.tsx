'use client'

import {
  Fragment,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { AsOfLink } from '#components/time/as-of.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { toCardPlace } from '#components/ui/overlays.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toSymbolHref, toUserHref } from '#lib/contract/page-addresses.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { type CellFormat, toCellWords, toCopiedHeader, toCopiedValue } from './cell-values.ts'
import { type ColumnId, columnLabel } from './columns.ts'
import { copyNoted, openRating, toggleRow } from './commands.ts'
import { toFilterActions } from './filter-actions.ts'
import type { AnchorRect, MenuRequest, RowContext } from './table-session.ts'

type CellMenuProps = { menu: MenuRequest; view: RatingsView; context: RowContext }

export function CellMenu({ menu, view, context }: CellMenuProps) {
  const { row, place, origin } = menu
  const [column, setColumn] = useState(menu.column)
  const reading = { zone: context.zone }
  const asked = { row, view, reading, context }
  const name = column
    ? `${columnLabel(column)}: ${toCellWords(row, column, reading)}`
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
      <AsOfLink {...common} href={item.href} onClick={onChoose}>
        {content}
      </AsOfLink>
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

type MenuItem = { label: string; detail?: string } & (
  | { href: string }
  | { level: ColumnId | null }
  | { run: () => void }
)

type MenuContext = { row: RatingRow; view: RatingsView; reading: CellFormat; context: RowContext }

function toCellItems(column: ColumnId, asked: MenuContext): MenuItem[][] {
  const { row, view, reading, context } = asked
  const filters = toFilterActions(column, { row, view, reading })
  return [
    filters.map(({ label, to }) => ({ label, run: () => context.change(to) })),
    [...toPageItems(column, row), toCopyItem(column, asked)],
    [...toRowItems(asked), { label: 'All values of this row', level: null }],
  ].filter((group) => group.length > 0)
}

function toRowLevel(asked: MenuContext): MenuItem[][] {
  const { row, reading, context } = asked
  const values = context.shown.map((column) => ({
    label: columnLabel(column),
    detail: toCellWords(row, column, reading),
    level: column,
  }))
  return [values, toRowItems(asked)]
}

function toPageItems(column: ColumnId, { symbol, user_id }: RatingRow): MenuItem[] {
  if (column === 'symbol') {
    return [{ label: `Go to ${toVisibleText(symbol)}`, href: toSymbolHref(toSymbolKey(symbol)) }]
  }
  return column === 'user_id' ? [{ label: `Go to user ${user_id}`, href: toUserHref(user_id) }] : []
}

function toCopyItem(column: ColumnId, { row, reading, context }: MenuContext): MenuItem {
  const text = toCopiedValue(row, column, reading.zone)
  const isShort = text !== '' && text.length <= 24
  const what = isShort ? toVisibleText(text) : toCopiedHeader(column, reading.zone)
  return { label: `Copy ${what}`, run: () => void copyNoted(text, what, context.session) }
}

function toRowItems({ row, context }: MenuContext): MenuItem[] {
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

type MenuOptions = {
  place: AnchorRect
  level: string
  onBack: (() => void) | undefined
  onClose: (isByKey: boolean) => void
}

const itemsOf = (menu: HTMLElement | null) => [
  ...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
]

function useMenu({ place, level, onBack, onClose }: MenuOptions) {
  const element = useRef<HTMLDivElement>(null)
  const close = useEffectEvent(onClose)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another level has other items, of another size
  useLayoutEffect(() => {
    const menu = element.current
    if (!menu) return
    if (!menu.matches(':popover-open')) menu.showPopover()
    const { width, height } = menu.getBoundingClientRect()
    const sight = { width: window.innerWidth, height: window.innerHeight }
    const { left, top } = toCardPlace(place, { width, height }, sight)
    menu.style.left = `${left}px`
    menu.style.top = `${top}px`
    itemsOf(menu)[0]?.focus({ preventScroll: true })
  }, [place, level])
  useEffect(() => {
    const ended = new AbortController()
    const options = { signal: ended.signal, capture: true }
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node && element.current?.contains(target))) close(false)
    }
    window.addEventListener('pointerdown', leave, options)
    window.addEventListener('scroll', leave, options)
    window.addEventListener('resize', () => close(false), options)
    return () => ended.abort()
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    const items = itemsOf(element.current)
    const { activeElement } = document
    const at = activeElement instanceof HTMLElement ? items.indexOf(activeElement) : -1
    const texts = items.map(({ textContent }) => textContent ?? '')
    const step = moveInMenu(event.key, { at, texts })
    if (event.key === 'Escape' || event.key === 'Tab') onClose(true)
    else if (event.key === 'ArrowLeft') onBack?.()
    else if (event.key === 'ArrowRight') {
      const item = items[at]
      if (item?.hasAttribute('aria-haspopup')) item.click()
    } else if (step !== null) items[step]?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { element, onKeyDown, close: onClose }
}

type MenuPosition = { at: number; texts: readonly string[] }

export function moveInMenu(key: string, { at, texts }: MenuPosition): number | null {
  const { length } = texts
  if (length === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % length
    case 'ArrowUp':
      return (Math.max(at, 0) + length - 1) % length
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return toLetter(key, { at, texts })
  }
}

function toLetter(key: string, { at, texts }: MenuPosition): number | null {
  if (!/^[^\s]$/u.test(key)) return null
  const ahead = texts.map((_, step) => (at + 1 + step) % texts.length)
  const begins = (index: number) => texts[index]?.toLowerCase().startsWith(key.toLowerCase())
  return ahead.find(begins) ?? null
}
