'use client'

import type { ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'

export type HeldColumn<T> = {
  header: string
  draw: (row: T) => ReactNode
  /** Left out on a phone. */
  isWideOnly?: boolean
  className?: string
}

type HeldTableProps<T> = {
  name: string
  rows: readonly T[]
  /** What the owners' column is called, where the rows are of several. */
  owners: string | null
  columns: readonly HeldColumn<T>[]
  /** What can be done with each, in words, and the button that does it. */
  act: string
  drawAct: (row: T) => ReactNode
}

const toPlace = ({ isWideOnly }: { isWideOnly?: boolean }) =>
  classNames('first:pl-5', isWideOnly && 'max-sm:hidden')

/** What accounts hold, sessions or tokens, a row each, and the way to end it. */
export const HeldTable = <T extends { id: string; name: string }>(props: HeldTableProps<T>) => (
  <TableFrame bare aria-label={props.name} className="-mx-5">
    <Table aria-label={props.name}>
      <TableHead>
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
          <Row key={row.id}>
            {props.owners !== null && <Cell className="first:pl-5">{row.name}</Cell>}
            {props.columns.map((column) => (
              <Cell key={column.header} className={classNames(toPlace(column), column.className)}>
                {column.draw(row)}
              </Cell>
            ))}
            <Cell className="last:pr-5 text-right">{props.drawAct(row)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  </TableFrame>
)
