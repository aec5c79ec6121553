import { formatCount } from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import type { ListCell } from '#components/list/list-table.tsx'
import { RulePopover } from '#components/ui/help-popover.tsx'
import type { UserRow } from '#lib/contract/answers/users.ts'
import { Interval } from './interval.tsx'
import { toPercent, toSpan } from './track-texts.ts'

function RightCell({ row: { hit_rate, hit_low, hit_high } }: { row: UserRow }) {
  const span = toSpan(hit_low, hit_high, toPercent)
  if (span === null) return <span>–</span>
  return (
    <>
      <Interval high={hit_high} low={hit_low} middle={0.5} of={hit_rate} reach={0.5} />
      <span className="figure">{toPercent(hit_rate)}</span>
      <span aria-hidden className="bound">{`≥ ${toPercent(hit_low)}`}</span>
      <span className="sr-only">{`, may be ${span}`}</span>
    </>
  )
}

function ExcessCell({ row: { excess, excess_low, excess_high } }: { row: UserRow }) {
  if (excess === null) return <span>–</span>
  const span = toSpan(excess_low, excess_high, toSignedPercent)
  return (
    <>
      {toSignedPercent(excess)}
      {span !== null && <span className="sr-only">{`, may be ${span}`}</span>}
    </>
  )
}

const toRightTitle = ({ hit_low, hit_high }: UserRow) =>
  toSpan(hit_low, hit_high, toPercent) ?? undefined

const toExcessTitle = ({ excess_low, excess_high }: UserRow) =>
  toSpan(excess_low, excess_high, toSignedPercent) ?? undefined

const RightRule = () => (
  <RulePopover name="How users are ranked by their records">
    <p>
      The percentage of separate calls that were right: a buy whose symbol then beat the benchmark,
      or a sell whose symbol trailed it. The line is Wilson’s 95% interval; its middle is a coin,
      which is right half of the time.
    </p>
    <p>
      Ranked by the lower end of the interval, so that three right calls out of three do not lead
      the list; at least 5 separate calls. Overlapping calls of a user on one symbol count once.
    </p>
    <p>
      Of a thousand coin tossers the best look good too: the “Everyone” tab shows how many users
      beat a coin, and how many would by luck.
    </p>
  </RulePopover>
)

export const STANDING_CELLS = {
  rank: { leaves: 4, widthPx: 60 },
  record: {
    card: 'end',
    cardLabel: 'Right',
    widthPx: 220,
    rule: <RightRule />,
    className: 'standing',
    toTitle: toRightTitle,
    render: (row) => <RightCell row={row} />,
  },
  clusters: {
    leaves: 5,
    cardLabel: 'Calls',
    render: ({ clusters }) => formatCount(clusters ?? 0),
  },
  excess: { widthPx: 80, toTitle: toExcessTitle, render: (row) => <ExcessCell row={row} /> },
} satisfies Readonly<Record<string, ListCell<UserRow>>>
