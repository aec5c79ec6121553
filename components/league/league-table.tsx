'use client'

import type { ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { SortHeader } from '#components/ui/sort-header.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { Sort } from '#lib/contract/parameters.ts'
import { toNextSort } from './league-query.ts'
import type { League } from './use-league.ts'

export type LeagueColumn<R, C extends string> = {
  label: string
  numeric?: boolean
  /** Moves the name above its numbers, where something stands at their right. */
  headClassName?: string
  /** How its figure is ranked, to be opened beside the heading. */
  rule?: ReactNode
  /** `sort` is how the table is sorted: what is shown may say why. */
  render: (row: R, sort: Sort<C>) => ReactNode
} & (
  | {
      sort: C
      /** The end that a first click sorts from. */
      usual: Sort<C>['direction']
    }
  /** A column that no table can be sorted by: a drawing. */
  | { sort: null; usual?: never }
)

type LeagueTableProps<R, C extends string> = {
  name: string
  league: League<C>
  columns: readonly LeagueColumn<R, C>[]
  rows: readonly R[]
  rowKey: (row: R) => string | number
  /** The rows are those of the query before, while the new ones load. */
  isDimmed: boolean
}

/** A league table that sorts by its headings. The first column names its row. */
export function LeagueTable<R, C extends string>(props: LeagueTableProps<R, C>) {
  const { name, league, columns, rows, rowKey, isDimmed } = props
  return (
    <TableFrame aria-label={`${name}, scrollable`}>
      <Table aria-label={name} aria-busy={isDimmed}>
        <TableHead>
          {columns.map((column, index) => (
            <Heading
              key={column.label}
              className={index === 0 ? STAYING : undefined}
              column={column}
              league={league}
            />
          ))}
        </TableHead>
        <tbody className={isDimmed ? 'opacity-60' : undefined}>
          {rows.map((row) => (
            <Row key={rowKey(row)}>
              {columns.map((column, index) => (
                <Cell
                  key={column.label}
                  numeric={column.numeric}
                  className={index === 0 ? FIRST : undefined}
                >
                  {column.render(row, league.query.sort)}
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

function Heading<R, C extends string>({
  column,
  league,
  className,
}: {
  column: LeagueColumn<R, C>
  league: League<C>
  className?: string
}) {
  const { label, numeric, headClassName, rule, usual } = column
  if (column.sort === null || usual === undefined) {
    return (
      <HeaderCell className={classNames(headClassName, className)} numeric={numeric}>
        {label}
      </HeaderCell>
    )
  }
  const { sort } = league.query
  const next = toNextSort(sort, column.sort, usual)
  return (
    <SortHeader
      direction={sort.column === column.sort ? sort.direction : null}
      href={league.hrefFor({ sort: next })}
      className={classNames(headClassName, className)}
      edge={rule}
      label={label}
      numeric={numeric}
      onSort={() => league.change({ sort: next })}
    />
  )
}

/** Where the table scrolls sideways, the names of its rows stay. */
const STAYING = 'max-sm:sticky max-sm:left-0 max-sm:z-1 max-sm:bg-surface'

/** The name of a row may be long: the figures beside it stay in view. */
const FIRST = `max-w-72 truncate font-medium max-sm:max-w-36 ${STAYING}`
