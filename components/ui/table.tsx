import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { isPlainClick } from './button.tsx'
import { classNames } from './class-names.ts'
import { Link } from './link.tsx'

type TableFrameProps = ComponentProps<'section'> & {
  /** The table's name. */
  'aria-label': string
  bare?: boolean
  /** As wide as the card around it. */
  bleed?: boolean
}

export function TableFrame({
  bare = false,
  bleed = false,
  className,
  'aria-label': name,
  ...rest
}: TableFrameProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={`${name}, scrollable`}
      className={classNames(
        'relative overflow-x-auto overscroll-x-contain [scrollbar-width:thin] focus-visible:outline-offset-[-2px]',
        bleed ? 'bleed' : !bare && 'rounded-lg border bg-surface',
        className,
      )}
      {...rest}
    />
  )
}

type TableProps = ComponentProps<'table'> & {
  compact?: boolean
  /** On a phone its rows are cards: each cell that stays has `card` or `label`. */
  cards?: boolean
}

export function Table({ compact = false, cards = false, className, ...rest }: TableProps) {
  return (
    <table
      className={classNames('data-table', compact && 'compact', cards && 'cards', className)}
      {...rest}
    />
  )
}

export function TableHead({ children, ...rest }: ComponentProps<'thead'>) {
  return (
    <thead {...rest}>
      <tr>{children}</tr>
    </thead>
  )
}

export function HeaderCell({
  numeric = false,
  className,
  ...rest
}: ComponentProps<'th'> & { numeric?: boolean }) {
  return <th scope="col" className={classNames(numeric && 'number', className)} {...rest} />
}

/** Hidden where the window has no room: 1 first, 5 last. */
export type Leaves = 1 | 2 | 3 | 4 | 5

export const toLeaving = (leaves: Leaves | undefined) => leaves !== undefined && `leaves-${leaves}`

/** `foot`: at the end of the card's last line. */
export type CardPlace = 'name' | 'end' | 'wide' | 'foot'

export type CellProps = ComponentProps<'td'> & {
  numeric?: boolean
  muted?: boolean
  card?: CardPlace
  /** On a card, before the value. Empty: the value alone. */
  label?: string
}

export function Cell({ numeric, muted, card, label, className, ...rest }: CellProps) {
  const classes = classNames(numeric && 'number', muted && 'quiet', className)
  return (
    <td
      className={classes === '' ? undefined : classes}
      data-card={card}
      data-label={label}
      {...rest}
    />
  )
}

type SortHeaderProps = {
  label: string
  /** Null if the table is sorted by another column. */
  direction: 'asc' | 'desc' | null
  href?: string
  onSort?: () => void
  numeric?: boolean
  above?: ReactNode
  edge?: ReactNode
  column?: string
  title?: string
  className?: string
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

export function SortHeader({
  label,
  direction,
  href,
  onSort,
  numeric = false,
  above,
  edge,
  column,
  title,
  className,
}: SortHeaderProps) {
  const content = <span>{label}</span>
  const onClick = (event: MouseEvent) => {
    if (!onSort || !isPlainClick(event)) return
    event.preventDefault()
    onSort()
  }
  return (
    <th
      scope="col"
      data-column={column}
      title={title}
      // Excludes the edge from the column's name.
      aria-label={edge ? label : undefined}
      aria-sort={direction ? ARIA_SORT[direction] : 'none'}
      // Top-aligned: the bars must not move while the cell is being parsed.
      className={classNames(numeric && 'number', above ? 'pt-1 align-top' : null, className)}
    >
      {above && <span aria-hidden>{above}</span>}
      {href === undefined ? (
        <button type="button" className="sort-header" onClick={onSort}>
          {content}
        </button>
      ) : (
        <Link
          href={href}
          scroll={false}
          // The browser would drag the link instead of the column.
          draggable={false}
          className="sort-header"
          onClick={onClick}
        >
          {content}
        </Link>
      )}
      {edge}
    </th>
  )
}
