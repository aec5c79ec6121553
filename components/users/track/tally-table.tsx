import type { ReactNode } from 'react'
import { formatCount } from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { Tally } from '#lib/contract/answers/track.ts'
import { Interval, type IntervalProps, toReach } from './interval.tsx'
import { toPercent, toSpan } from './track-texts.ts'

const AGAINST = 'leaves-4 print:hidden'

type TallyRow = { key: string; name: ReactNode; tally: Tally }

type TallyTableProps = {
  title: string
  of: string
  rows: readonly TallyRow[]
}

export function TallyTable({ title, of, rows }: TallyTableProps) {
  const all = rows.map(({ tally }) => tally)
  const reach = {
    excess: toReach(all.flatMap(({ excess_low, excess_high }) => [excess_low, excess_high])),
    rate: Math.min(
      0.5,
      toReach(all.flatMap(({ hit_low, hit_high }) => [hit_low, hit_high].map(fromHalf))),
    ),
  }
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1.5">
      <h3 className="text-sm font-medium text-ink-3">{title}</h3>
      <TableFrame aria-label={title}>
        <Table cards aria-label={title}>
          <TableHead>
            <HeaderCell>{of}</HeaderCell>
            <HeaderCell numeric>Right</HeaderCell>
            <HeaderCell className={AGAINST}>Against a coin</HeaderCell>
            <HeaderCell numeric>Between</HeaderCell>
            <HeaderCell className="leaves-5" numeric>
              Separate calls
            </HeaderCell>
            <HeaderCell numeric>Mean excess</HeaderCell>
            <HeaderCell className={AGAINST}>Against no difference</HeaderCell>
            <HeaderCell numeric>Between</HeaderCell>
            <HeaderCell className="leaves-3" numeric>
              What counts
            </HeaderCell>
          </TableHead>
          <tbody>
            {rows.map(({ key, name, tally }) => (
              <TallyCells key={key} name={name} reach={reach} tally={tally} />
            ))}
          </tbody>
        </Table>
      </TableFrame>
    </section>
  )
}

const fromHalf = (share: string | null) => (share === null ? null : String(Number(share) - 0.5))

type TallyCellsProps = Pick<TallyRow, 'name' | 'tally'> & {
  reach: Record<'rate' | 'excess', number>
}

function TallyCells({ name, tally, reach }: TallyCellsProps) {
  const { hit_rate, hit_low, hit_high, excess, excess_low, excess_high } = tally
  return (
    <tr>
      <th scope="row">{name}</th>
      <FigureCells
        format={toPercent}
        label="right"
        high={hit_high}
        low={hit_low}
        middle={0.5}
        of={hit_rate}
        reach={reach.rate}
      />
      <Cell className="leaves-5" label="separate calls" numeric>
        {formatCount(tally.clusters)}
      </Cell>
      <FigureCells
        format={toSignedPercent}
        label="mean excess"
        high={excess_high}
        low={excess_low}
        middle={0}
        of={excess}
        reach={reach.excess}
      />
      <Cell className="leaves-3" label="counted" muted numeric>
        {formatCount(tally.scored)} of {formatCount(tally.calls)}
      </Cell>
    </tr>
  )
}

type FigureCellsProps = IntervalProps & {
  /** On a card. */
  label: string
  format: (text: string | null) => string
}

const FigureCells = ({ format, label, ...interval }: FigureCellsProps) => (
  <>
    <Cell label={label} numeric>
      {format(interval.of)}
    </Cell>
    <Cell className={AGAINST}>
      <Interval {...interval} />
    </Cell>
    <Cell label="" muted numeric>
      {toSpan(interval.low, interval.high, format) ?? '–'}
    </Cell>
  </>
)
