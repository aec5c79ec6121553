import { Count } from '#components/format/number-text.tsx'
import type { LeagueColumn } from '#components/league/league-table.tsx'
import { Instant } from '#components/time/instant.tsx'
import { ZonedLink } from '#components/time/zoned-link.tsx'
import type { UserRow } from '#lib/contract/answers/users.ts'
import type { USER_SORTS } from '#lib/contract/api-queries.ts'
import { ActivityBars } from './activity-bars.tsx'
import { AgreementCell } from './agreement-cell.tsx'
import { BiasCell } from './bias-cell.tsx'
import { ActivityRule, AgreementRule, BiasRule } from './ranking-rules.tsx'

export type UserSort = (typeof USER_SORTS)[number]

type Column = LeagueColumn<UserRow, UserSort>

/** The button of the rule before it hangs over a heading's beginning. */
const BESIDE_RULE = 'pl-7'

/** What the league table of users shows, what matters most first: a narrow screen sees the beginning. */
export const USER_COLUMNS: readonly Column[] = [
  {
    label: 'User',
    sort: 'user_id',
    usual: 'asc',
    render: ({ user_id }) => (
      <ZonedLink className="font-semibold hover:underline" href={`/users/${user_id}`}>
        #{user_id}
      </ZonedLink>
    ),
  },
  {
    label: 'Ratings',
    sort: 'ratings',
    usual: 'desc',
    numeric: true,
    render: ({ ratings }) => <Count of={ratings} />,
  },
  {
    label: 'Symbols',
    sort: 'symbols',
    usual: 'desc',
    numeric: true,
    render: ({ symbols }) => <Count of={symbols} />,
  },
  {
    label: 'In 90 days',
    sort: 'recent',
    usual: 'desc',
    numeric: true,
    rule: <ActivityRule />,
    render: ({ recent }) => <Count of={recent} />,
  },
  {
    label: 'A year, by week',
    sort: null,
    headClassName: BESIDE_RULE,
    render: ({ activity }) => (
      <span className="pl-4">
        <ActivityBars activity={activity} />
      </span>
    ),
  },
  {
    label: 'Agreement',
    sort: 'agreement',
    usual: 'desc',
    numeric: true,
    rule: <AgreementRule />,
    render: (row) => <AgreementCell row={row} />,
  },
  {
    label: 'Bias, steps',
    sort: 'bias',
    usual: 'desc',
    numeric: true,
    rule: <BiasRule />,
    render: (row) => <BiasCell row={row} />,
  },
  {
    label: 'Last rated',
    sort: 'last_created_at',
    usual: 'desc',
    numeric: true,
    render: ({ last_created_at }) => <Instant seconds={last_created_at} />,
  },
]
