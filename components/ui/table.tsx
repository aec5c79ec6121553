import Link from 'next/link'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { isPlainClick } from './button.tsx'
import { classNames } from './class-names.ts'

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
  return <table className={classNames('data-table', className)} {...rest} />
}

/** The row of headers. */
export function TableHead({ className, children, ...rest }: ComponentProps<'thead'>) {
  return (
    <thead className={classNames('data-head', className)} {...rest}>
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
  return <th scope="col" className={classNames(numeric && 'number', className)} {...rest} />
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
        'data-row',
        compact && 'data-row-compact',
        selected && 'data-row-selected',
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
  const classes = classNames(numeric && 'number', muted && 'quiet', className)
  return <td className={classes === '' ? undefined : classes} {...rest} />
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
      // Otherwise the name of what stands at the edge would be part of the column's.
      aria-label={edge ? label : undefined}
      aria-sort={direction ? ARIA_SORT[direction] : 'none'}
      // At the top, what is above the name keeps its place while the rest of the cell is still being parsed.
      className={classNames(numeric && 'number', above ? 'pt-1 align-top' : null, className)}
    >
      {above && <span aria-hidden>{above}</span>}
      {href === undefined ? (
        <button type="button" className="sort-header" onClick={onSort}>
          {content}
        </button>
      ) : (
        <Link href={href} prefetch={false} scroll={false} className="sort-header" onClick={onClick}>
          {content}
        </Link>
      )}
      {edge}
    </th>
  )
}
