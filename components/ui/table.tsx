import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** The look of a column header, for headers that are made elsewhere. */
export const HEADER_CELL_CLASSES =
  'h-[31px] px-2.5 text-left align-bottom pb-1.5 text-xs font-medium text-ink-3 whitespace-nowrap first:pl-4 last:pr-4'

/**
 * Holds a table that may be wider than the page: it scrolls sideways, by keyboard too, and has the house's frame.
 * Give the name of the table as `aria-label`. With `bare` the frame is left out.
 */
export function TableFrame({
  bare = false,
  className,
  ...rest
}: ComponentProps<'section'> & { bare?: boolean; 'aria-label': string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
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
