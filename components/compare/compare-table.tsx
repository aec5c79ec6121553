import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { ComparedLine } from './compared-lines.ts'

type CompareTableProps = {
  name: string
  lines: readonly ComparedLine[]
  /** A bucket by its first second, under the heading "At the end of". */
  toRow: (t: number) => string
  height: number
}

/** The points of a comparison as they are drawn, the newest first; n beside every figure. */
export function CompareTable({ name, lines, toRow, height }: CompareTableProps) {
  const points = (lines[0]?.points ?? []).map(({ t }, index) => ({ t, index }))
  return (
    <div style={{ height }}>
      <TableFrame aria-label={`${name}, scrollable`} className="h-full overflow-y-auto">
        <Table aria-label={name}>
          <TableHead className="sticky top-0 z-10 bg-surface">
            <HeaderCell className="sticky left-0 bg-surface">At the end of</HeaderCell>
            {lines.map(({ key, symbol }) => (
              <HeaderCell key={key} numeric>
                {symbol}
              </HeaderCell>
            ))}
          </TableHead>
          <tbody>
            {points.toReversed().map(({ t, index }) => (
              <Row key={t} compact>
                <th
                  className="sticky left-0 bg-surface pl-4 text-left font-normal whitespace-nowrap"
                  scope="row"
                >
                  {toRow(t)}
                </th>
                {lines.map((line) => (
                  <Cell key={line.key} numeric>
                    {line.points[index]?.text}
                  </Cell>
                ))}
              </Row>
            ))}
          </tbody>
        </Table>
      </TableFrame>
    </div>
  )
}
