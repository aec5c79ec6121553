'use client'

import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { Dump } from '#lib/contract/answers/status.ts'

type PreviewTableProps = Pick<Dump, 'kind' | 'columns'> & {
  rows: readonly string[][]
  /** Names of columns that are left out. */
  hidden: ReadonlySet<string>
}

/** Records as they stand in the file, cell by cell. */
export function PreviewTable({ kind, columns, rows, hidden }: PreviewTableProps) {
  const shown = columns
    .map((column, index) => ({ ...column, index, isNumeric: column.type !== 'text' }))
    .filter(({ name }) => !hidden.has(name))
  const label = `First rows of the ${kind} dump`
  return (
    <TableFrame bare aria-label={label} className="min-h-0 max-lg:max-h-64">
      <Table aria-label={label}>
        <TableHead className="sticky top-0 bg-surface">
          {shown.map(({ name, isNumeric }) => (
            <HeaderCell key={name} numeric={isNumeric} className="first:pl-0">
              {name}
            </HeaderCell>
          ))}
        </TableHead>
        <tbody>
          {rows.map((cells, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: records have no name, keep their places and hold no state
            <Row key={place} compact>
              {shown.map(({ name, index, isNumeric }) => (
                <Cell
                  key={name}
                  numeric={isNumeric}
                  className="max-w-64 truncate text-sm first:pl-0"
                >
                  {cells[index]}
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}
