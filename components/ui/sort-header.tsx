import Link from 'next/link'
import type { MouseEvent, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { isPlainClick } from './plain-click.ts'
import { HEADER_CELL_CLASSES } from './table.tsx'

type SortHeaderProps = {
  /** The column's name, also the button's. */
  label: string
  /** How the table is sorted by this column now; null where it is sorted by another. */
  direction: 'asc' | 'desc' | null
  /** The address of the table sorted by this column: makes the button a link. */
  href?: string
  /** Called instead of following the link. */
  onSort?: () => void
  /** Numbers stand at the right. */
  numeric?: boolean
  /** Stands above the name, for the eye only: a small distribution. It is no part of the header's name. */
  above?: ReactNode
  /** Stands at the end, as no part of the header's name either: what the column's width is drawn by. */
  edge?: ReactNode
  /** The column's own name, for whoever handles the events of all headers. */
  column?: string
  /** Shown to who points at the name. */
  title?: string
  className?: string
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

/** A column header that sorts: `<th aria-sort>` with a button or link in it. */
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
  // Takes no room, so that the name stands exactly above what it names: numbers at the right, words at the left.
  const arrow = (
    <span
      aria-hidden
      data-arrow
      className={classNames(
        'absolute bottom-0',
        numeric ? 'right-full mr-0.5' : 'left-full ml-1',
        !direction && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60',
      )}
    >
      {direction === 'asc' ? '↑' : '↓'}
    </span>
  )
  const content = (
    <>
      <span className="min-w-0 truncate">{label}</span>
      {arrow}
    </>
  )
  const classes =
    'group relative inline-flex h-6 max-w-full items-end align-bottom whitespace-nowrap hover:text-ink'
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
      // Otherwise the name of what stands at the edge would be part of the column's.
      aria-label={edge ? label : undefined}
      aria-sort={direction ? ARIA_SORT[direction] : 'none'}
      className={classNames(
        HEADER_CELL_CLASSES,
        numeric && 'text-right',
        direction && 'text-ink',
        className,
      )}
    >
      {above && <span aria-hidden>{above}</span>}
      {href === undefined ? (
        <button type="button" className={classes} onClick={onSort}>
          {content}
        </button>
      ) : (
        <Link href={href} prefetch={false} scroll={false} className={classes} onClick={onClick}>
          {content}
        </Link>
      )}
      {edge}
    </th>
  )
}
