import Link from 'next/link'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { isPlainClick } from './button.tsx'
import { classNames } from './class-names.ts'

/** The look of a column header, for headers that are made elsewhere. */
const HEADER_CELL_CLASSES =
  'h-[31px] px-2.5 text-left align-bottom pb-1.5 text-xs font-medium text-ink-3 whitespace-nowrap first:pl-4 last:pr-4'

/**
 * Holds a table that may be wider than the page: it scrolls sideways, by keyboard too, and has a frame.
 * Give the name of the table as `aria-label`: the frame is heard as that, and that it scrolls, since the section around
 * it may have the same name. With `bare` the frame is left out.
 */
export function TableFrame({
  bare = false,
  className,
  'aria-label': name,
  ...rest
}: ComponentProps<'section'> & { bare?: boolean; 'aria-label': string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={`${name}, scrollable`}
      className={classNames(
        'relative overflow-x-auto overscroll-x-contain [scrollbar-width:thin] focus-visible:outline-offset-[-2px]',
        !bare && 'rounded-lg border bg-surface',
        className,
      )}
      {...rest}
    />
  )
}

/** A table of full width. Name it by `aria-label` or a caption. */
export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return (
    <table
      className={classNames('w-full border-separate border-spacing-0 text-base', className)}
      {...rest}
    />
  )
}

/** The row of headers. */
export function TableHead({ className, children, ...rest }: ComponentProps<'thead'>) {
  return (
    <thead className={classNames('[&_th]:border-b', className)} {...rest}>
      <tr>{children}</tr>
    </thead>
  )
}

/** A column header that does not sort; SortHeader is the one that does. */
export function HeaderCell({
  numeric = false,
  className,
  ...rest
}: ComponentProps<'th'> & { numeric?: boolean }) {
  return (
    <th
      scope="col"
      className={classNames(HEADER_CELL_CLASSES, numeric && 'text-right', className)}
      {...rest}
    />
  )
}

/** A row: 31 px high, or 26 with `compact`; `selected` paints it in the accent's ground. */
export function Row({
  compact = false,
  selected = false,
  className,
  ...rest
}: ComponentProps<'tr'> & { compact?: boolean; selected?: boolean }) {
  return (
    <tr
      className={classNames(
        compact ? 'h-[26px]' : 'h-[31px]',
        '[&>*]:border-b last:[&>*]:border-b-0',
        selected
          ? 'bg-accent-bg forced-colors:outline-2 forced-colors:-outline-offset-2'
          : 'hover:bg-sunk',
        className,
      )}
      {...rest}
    />
  )
}

/** A cell. Numbers stand at the right; `muted` is for what is secondary. */
export function Cell({
  numeric = false,
  muted = false,
  className,
  ...rest
}: ComponentProps<'td'> & { numeric?: boolean; muted?: boolean }) {
  return (
    <td
      className={classNames(
        'px-2.5 whitespace-nowrap first:pl-4 last:pr-4',
        numeric && 'text-right',
        muted && 'text-ink-3',
        className,
      )}
      {...rest}
    />
  )
}

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
