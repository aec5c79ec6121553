import { useFormats } from '#components/format/use-formats.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { Series } from '#lib/contract/answers/symbols.ts'
import { toBucketName } from './buckets.ts'

const HEADERS = [
  'Posted',
  'Mean rating posted',
  'Mean prediction posted',
  'Active',
  'Consensus',
  'Mean prediction active',
]

/** The points of a series as they came, the newest first; n stands in the columns Posted and Active. */
export function SeriesTable({ name, series }: { name: string; series: Series }) {
  const { formatConsensus, formatCount, formatMeanPrediction } = useFormats()
  return (
    <TableFrame aria-label={`${name}, scrollable`} className="h-full overflow-y-auto">
      <Table aria-label={name}>
        <TableHead className="sticky top-0 bg-surface">
          <HeaderCell className="capitalize">{series.bucket}</HeaderCell>
          {HEADERS.map((header) => (
            <HeaderCell key={header} numeric>
              {header}
            </HeaderCell>
          ))}
        </TableHead>
        <tbody>
          {series.points.toReversed().map((point) => (
            <Row key={point.t} compact>
              <th className="pl-4 text-left font-normal whitespace-nowrap" scope="row">
                {toBucketName(point.t, series.bucket)}
              </th>
              <Cell numeric>{formatCount(point.posted)}</Cell>
              <Cell numeric>{formatConsensus(point.avg_rating)}</Cell>
              <Cell numeric>{formatMeanPrediction(point.avg_prediction)}</Cell>
              <Cell numeric>{formatCount(point.active)}</Cell>
              <Cell numeric>{formatConsensus(point.consensus)}</Cell>
              <Cell numeric>{formatMeanPrediction(point.active_prediction)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}
