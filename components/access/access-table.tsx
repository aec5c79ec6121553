'use client'

import type { ReactNode } from 'react'
import {
  Cell,
  type CellProps,
  HeaderCell,
  Table,
  TableFrame,
  TableHead,
} from '#components/ui/table.tsx'

export type AccessColumn<T> = {
  header: string
  draw: (row: T) => ReactNode
  className?: string
} & Pick<CellProps, 'card' | 'label'>

type AccessTableProps<T> = {
  name: string
  rows: readonly T[]
  /** Null hides the owner column. */
  owners: string | null
  columns: readonly AccessColumn<T>[]
  act: string
  drawAct: (row: T) => ReactNode
}

export const AccessTable = <T extends { id: string; name: string }>(props: AccessTableProps<T>) => (
  <TableFrame bleed aria-label={props.name}>
    <Table cards aria-label={props.name}>
      <TableHead>
        {props.owners !== null && <HeaderCell>{props.owners}</HeaderCell>}
        {props.columns.map((column) => (
          <HeaderCell key={column.header}>{column.header}</HeaderCell>
        ))}
        <HeaderCell className="w-full">
          <span className="sr-only">{props.act}</span>
        </HeaderCell>
      </TableHead>
      <tbody>
        {props.rows.map((row) => (
          <tr key={row.id}>
            {props.owners !== null && <Cell card="name">{row.name}</Cell>}
            {props.columns.map(({ header, draw, ...look }) => (
              <Cell key={header} {...look}>
                {draw(row)}
              </Cell>
            ))}
            <Cell card="end" className="text-right">
              {props.drawAct(row)}
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  </TableFrame>
)
