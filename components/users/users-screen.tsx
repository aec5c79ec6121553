'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Curve } from 'recharts'
import { ZonedLink } from '#components/address/outlook.tsx'
import { toUserHref } from '#components/address/page-address.ts'
import { type Formats, toAgreementText, toShareText } from '#components/format/numbers.ts'
import { Count, useFormats } from '#components/format/use-formats.tsx'
import { LeagueScreen } from '#components/league/league-screen.tsx'
import {
  type League,
  type LeagueColumn,
  RowPicture,
  RulePopover,
  useLeague,
} from '#components/league/league-table.tsx'
import { toSignedText } from '#components/marks/consensus-change.tsx'
import { Instant } from '#components/time/instant.tsx'
import { usersOptions } from '#lib/client/user-options.ts'
import { ACTIVITY_WEEKS } from '#lib/contract/answers/limits.ts'
import type { UserRow, UsersPage } from '#lib/contract/answers/users.ts'
import { HORIZON_NAME_DEFAULT } from '#lib/contract/horizons.ts'
import { rankedUsersQuery, type UserSort, userList, usersQuery } from '#lib/contract/lists/users.ts'
import { ComparedLine } from './compared-line.tsx'
import { WilsonText } from './confidence.tsx'
import { HorizonChoice, NoPrices } from './track/horizon-choice.tsx'
import { STANDING_COLUMNS } from './track/standing-columns.tsx'
import { toLuckText } from './track/track-texts.ts'
import { UsersTabs } from './users-tabs.tsx'

/** `isRanked`: prices exist, so users are ranked by them. */
type UsersScreenProps = { isRanked: boolean }

export function UsersScreen({ isRanked }: UsersScreenProps) {
  const schema = isRanked ? rankedUsersQuery : usersQuery
  const league = useLeague('/users', { schema, asked: usersQuery })
  const answer = useQuery(usersOptions(league.params))
  return (
    <LeagueScreen<UserRow, UserSort>
      answer={answer}
      columns={isRanked ? RANKED_COLUMNS : USER_COLUMNS}
      list={userList}
      head={
        <>
          <UsersTabs current="users" horizon={league.query.horizon ?? HORIZON_NAME_DEFAULT} />
          {isRanked ? (
            <LuckLine league={league} standings={answer.data?.standings} />
          ) : (
            <NoPrices>Without prices, no user can be compared with a coin.</NoPrices>
          )}
          <ComparedLine league={league} />
        </>
      }
      league={league}
      name="Users"
      one="user"
      rowKey={toKey}
      search={{
        label: 'Search users by number',
        placeholder: 'Find a user by number',
        inputMode: 'numeric',
      }}
    >
      Agreement is the share of votes that agreed, as last seen. Bias is how far the active ratings
      are from those of others on the same symbols. Few votes or ratings rank lower: see the rule at
      each heading.
    </LeagueScreen>
  )
}

type LuckLineProps = {
  league: League<UserSort>
  standings: UsersPage['standings'] | undefined
}

function LuckLine({ league, standings }: LuckLineProps) {
  const formats = useFormats()
  const { horizon = HORIZON_NAME_DEFAULT } = league.query
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <p className="text-lg text-pretty">
        {standings !== undefined && toLuckText(standings.luck, formats)}
      </p>
      <HorizonChoice horizon={horizon} onChange={(days) => league.change({ horizon: days })} />
    </div>
  )
}

const toKey = ({ user_id }: UserRow) => user_id

/** The scale is fixed, so that rows are comparable. */
function ActivityBars({ activity }: { activity: readonly number[] }) {
  const { formatCount, formatCounted } = useFormats()
  const reading = toBarsReading(activity, { formatCount, formatCounted })
  return (
    <RowPicture box={[-BAR / 2, 0, activity.length, FULL_WEEK]} reading={reading}>
      <Curve points={toBarPoints(activity)} />
    </RowPicture>
  )
}

/** Fraction of a week's width; must match `league.css`. */
const BAR = 0.75

const FULL_WEEK = 7

/** Units: a week across, a rating upwards. */
export const toBarPoints = (activity: readonly number[]) =>
  activity.flatMap((count, week) =>
    count === 0
      ? []
      : [
          { x: week, y: FULL_WEEK },
          { x: week, y: FULL_WEEK - Math.min(count, FULL_WEEK) },
          { x: null, y: null },
        ],
  )

type Counting = Pick<Formats, 'formatCount' | 'formatCounted'>

export function toBarsReading(
  activity: readonly number[],
  { formatCount, formatCounted }: Counting,
): string {
  const total = activity.reduce((sum, count) => sum + count, 0)
  const all = formatCounted(activity.length, 'week')
  if (total === 0) return `No rating in ${all}`
  const busy = activity.filter((count) => count > 0).length
  const ago = activity.length - 1 - activity.findLastIndex((count) => count > 0)
  const last = ago === 0 ? 'the last in the latest' : `the last ${formatCounted(ago, 'week')} ago`
  const most = formatCount(Math.max(...activity))
  return `${formatCounted(total, 'rating')} in ${formatCount(busy)} of ${all}, at most ${most} in one, ${last}`
}

function AgreementCell({ row }: { row: UserRow }) {
  const { agree, disagree, agreement_low: low } = row
  const formats = useFormats()
  const share = toAgreementText(agree, disagree, formats)
  if (share === null || low === null) return <span>no votes</span>
  return (
    <>
      {`${share} `}
      <span>{`≥ ${toShareText(low, formats)}`}</span>{' '}
      <span data-n>{`n=${formats.formatCount(agree + disagree)}`}</span>
    </>
  )
}

function BiasCell({ row: { bias, bias_n: count } }: { row: UserRow }) {
  const formats = useFormats()
  if (bias === null) return <span>–</span>
  return (
    <>
      {`${toSignedText(bias, formats)} `}
      <span data-n>{`n=${formats.formatCount(count)}`}</span>
    </>
  )
}

const ActivityRule = () => (
  <RulePopover name="What activity is">
    <p>
      Ratings posted in the last 90 days, up to now or the date that the page is rewound to. The
      bars show the {ACTIVITY_WEEKS} weeks up to then; one rating a day or more fills the height.
    </p>
  </RulePopover>
)

const AgreementRule = () => (
  <RulePopover name="How agreement is ranked">
    <Paragraphs>
      <p>
        The share of the n votes on a user’s ratings that agreed. Sorted by the lower end of its
        interval (≥), so that three votes out of three do not lead the list.
      </p>
      <WilsonText />
      <p>Votes are known only as last seen: they are the same on every date that you rewind to.</p>
    </Paragraphs>
  </RulePopover>
)

const BiasRule = () => (
  <RulePopover name="How bias is ranked">
    <Paragraphs>
      <p>
        Mean distance of a user’s n active ratings from the mean of the others’ active ratings of
        the same symbol, in steps of the scale: +1.00 is one step more bullish. Only symbols with at
        least 3 others count.
      </p>
      <p>Sorted by that mean pulled toward 0, as if 10 more ratings had been at the mean:</p>
      <p className="rounded bg-sunk px-2 py-1 font-mono text-ink">Σ distance / (n + 10)</p>
      <p>
        Shrinkage after W. James and C. Stein, “Estimation with Quadratic Loss”, 1961; the weight of
        10 is our choice. Bias is not a fault: the crowd may be wrong.
      </p>
    </Paragraphs>
  </RulePopover>
)

const Paragraphs = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-col gap-2">{children}</div>
)

type Column = LeagueColumn<UserRow, UserSort>

const BESIDE_RULE = 'pl-7'

const USER_COLUMNS: readonly Column[] = [
  {
    label: 'User',
    sort: 'user_id',
    usual: 'asc',
    render: ({ user_id }) => (
      <ZonedLink href={toUserHref(user_id)} prefetch={false}>
        {`#${user_id}`}
      </ZonedLink>
    ),
  },
  {
    label: 'Ratings',
    card: 'lead',
    sort: 'ratings',
    usual: 'desc',
    numeric: true,
    render: ({ ratings }) => <Count of={ratings} />,
  },
  {
    label: 'Symbols',
    leaves: 2,
    card: 'figure',
    sort: 'symbols',
    usual: 'desc',
    numeric: true,
    render: ({ symbols }) => <Count of={symbols} />,
  },
  {
    label: 'In 90 days',
    leaves: 4,
    card: 'figure',
    sort: 'recent',
    usual: 'desc',
    numeric: true,
    rule: <ActivityRule />,
    render: ({ recent }) => <Count of={recent} />,
  },
  {
    label: 'A year, by week',
    leaves: 1,
    sort: null,
    headClassName: `${BESIDE_RULE} vast:w-full`,
    cellClassName: 'activity',
    render: ({ activity }) => <ActivityBars activity={activity} />,
  },
  {
    label: 'Agreement',
    leaves: 3,
    card: 'figure',
    sort: 'agreement',
    usual: 'desc',
    numeric: true,
    rule: <AgreementRule />,
    cellClassName: 'agreement',
    render: (row) => <AgreementCell row={row} />,
  },
  {
    label: 'Bias, steps',
    leaves: 2,
    sort: 'bias',
    usual: 'desc',
    numeric: true,
    rule: <BiasRule />,
    cellClassName: 'bias',
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

const [USER, RATINGS, ...REST] = USER_COLUMNS

const RANKED_COLUMNS: readonly Column[] = [
  ...(USER ? [USER] : []),
  ...STANDING_COLUMNS,
  ...(RATINGS ? [{ ...RATINGS, card: 'figure' as const }] : []),
  ...REST.map(({ card: _, ...column }): Column => column),
]
