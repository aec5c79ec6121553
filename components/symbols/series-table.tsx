import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { Series, SeriesPoint } from '#lib/contract/answers/opinion.ts'
import { RATING_LABELS } from '#lib/contract/rating-codes.ts'
import { createBucketWords, type Judged } from './bucket-words.ts'
import { toGivenText } from './series-reading.ts'

const LABELS = Object.values(RATING_LABELS)

const HEADERS = [
  'Posted',
  'Active, n',
  'Consensus',
  'Weighted',
  'Median prediction',
  'Lower quartile',
  'Upper quartile',
  'Lowest',
  'Highest',
  ...LABELS,
]

type SeriesTableProps = { name: string; series: Series; judged: Judged; minimum: number }

/** The points of a series as they came, the newest first; no figure of fewer than `minimum`, as in the chart. */
export function SeriesTable({ name, series, judged, minimum }: SeriesTableProps) {
  const { toRow } = createBucketWords(judged)
  const formats = useFormats()
  return (
    <TableFrame aria-label={`${name}, scrollable`} className="h-full overflow-y-auto">
      <Table aria-label={name}>
        <TableHead className="sticky top-0 z-10 bg-surface">
          <HeaderCell className="sticky left-0 bg-surface">At the end of</HeaderCell>
          {HEADERS.map((header) => (
            <HeaderCell key={header} numeric>
              {header}
            </HeaderCell>
          ))}
        </TableHead>
        <tbody>
          {series.points.toReversed().map((point) => (
            <Row key={point.t} compact>
              <th
                className="sticky left-0 bg-surface pl-4 text-left font-normal whitespace-nowrap"
                scope="row"
              >
                {toRow(point.t)}
              </th>
              {toCells(point, minimum, formats).map((text, index) => (
                <Cell key={HEADERS[index]} numeric>
                  {text}
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

function toCells(point: SeriesPoint, minimum: number, formats: Formats): string[] {
  const { formatConsensus, formatCount } = formats
  const isEnough = point.active >= minimum
  const standing = (text: string | null) => formatConsensus(isEnough ? text : null)
  const given = (text: string | null) => toGivenText(isEnough ? text : null, formats)
  return [
    formatCount(point.posted),
    formatCount(point.active),
    standing(point.consensus),
    standing(point.weighted),
    given(point.prediction_median),
    given(point.prediction_q1),
    given(point.prediction_q3),
    given(point.prediction_low),
    given(point.prediction_high),
    ...point.by_rating.map(formatCount),
  ]
}
