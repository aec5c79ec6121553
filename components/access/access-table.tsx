'use client'

import type { ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'

export type AccessColumn<T> = {
  header: string
  draw: (row: T) => ReactNode
  isWideOnly?: boolean
  className?: string
}

type AccessTableProps<T> = {
  name: string
  rows: readonly T[]
  /** Null hides the owner column. */
  owners: string | null
  columns: readonly AccessColumn<T>[]
  act: string
  drawAct: (row: T) => ReactNode
}

const toPlace = ({ isWideOnly }: { isWideOnly?: boolean }) =>
  classNames('first:pl-5', isWideOnly && 'max-sm:hidden')

export const STACKED_ROW =
  'max-sm:flex max-sm:h-auto! max-sm:flex-wrap max-sm:items-center max-sm:border-b max-sm:px-5 max-sm:py-1.5 max-sm:last:border-b-0'
export const STACKED_CELL = 'max-sm:h-auto! max-sm:border-0! max-sm:py-0.5 max-sm:pl-0! max-sm:pr-3'
export const STACKED_ACT = 'max-sm:ml-auto max-sm:h-auto! max-sm:border-0! max-sm:p-0!'
export const STACKED_HEAD = 'max-sm:sr-only'

export const AccessTable = <T extends { id: string; name: string }>(props: AccessTableProps<T>) => (
  <TableFrame bare aria-label={props.name} className="-mx-5">
    <Table aria-label={props.name}>
      <TableHead className={STACKED_HEAD}>
        {props.owners !== null && <HeaderCell className="first:pl-5">{props.owners}</HeaderCell>}
        {props.columns.map((column) => (
          <HeaderCell key={column.header} className={toPlace(column)}>
            {column.header}
          </HeaderCell>
        ))}
        <HeaderCell className="w-full last:pr-5">
          <span className="sr-only">{props.act}</span>
        </HeaderCell>
      </TableHead>
      <tbody>
        {props.rows.map((row) => (
          <Row key={row.id} className={STACKED_ROW}>
            {props.owners !== null && (
              <Cell className={classNames('first:pl-5', STACKED_CELL)}>{row.name}</Cell>
            )}
            {props.columns.map((column) => (
              <Cell
                key={column.header}
                className={classNames(toPlace(column), column.className, STACKED_CELL)}
              >
                {column.draw(row)}
              </Cell>
            ))}
            <Cell className={classNames('text-right last:pr-5', STACKED_ACT)}>
              {props.drawAct(row)}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  </TableFrame>
)
