'use client'

import type { ReactNode } from 'react'
import { SortHeader } from '#components/ui/sort-header.tsx'
import { Cell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { Sort } from '#lib/contract/parameters.ts'
import { toNextSort } from './league-query.ts'
import type { League } from './use-league.ts'

export type LeagueColumn<R, C extends string> = {
  label: string
  sort: C
  /** The end that a first click sorts from. */
  usual: Sort<C>['direction']
  numeric?: boolean
  /** Moves the name above its numbers, where something stands at their right. */
  headClassName?: string
  render: (row: R) => ReactNode
}

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
  const { sort } = league.query
  return (
    <TableFrame aria-label={`${name}, scrollable`}>
      <Table aria-label={name} aria-busy={isDimmed}>
        <TableHead>
          {columns.map((column) => {
            const next = toNextSort(sort, column.sort, column.usual)
            return (
              <SortHeader
                key={column.sort}
                direction={sort.column === column.sort ? sort.direction : null}
                href={league.hrefFor({ sort: next })}
                className={column.headClassName}
                label={column.label}
                numeric={column.numeric}
                onSort={() => league.change({ sort: next })}
              />
            )
          })}
        </TableHead>
        <tbody className={isDimmed ? 'opacity-60' : undefined}>
          {rows.map((row) => (
            <Row key={rowKey(row)}>
              {columns.map((column, index) => (
                <Cell
                  key={column.sort}
                  numeric={column.numeric}
                  className={index === 0 ? FIRST : undefined}
                >
                  {column.render(row)}
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

/** The name of a row may be long: the figures beside it stay in view. */
const FIRST = 'max-w-72 truncate font-medium max-sm:max-w-36'
