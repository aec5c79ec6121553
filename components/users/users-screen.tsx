'use client'

import { useQuery } from '@tanstack/react-query'
import { AsOfLink } from '#components/address/as-of.tsx'
import { toUserHref } from '#components/address/page-address.ts'
import { type ListView, useListView } from '#components/address/use-list-view.ts'
import { RowPicture } from '#components/charts/row-picture.tsx'
import {
  formatCount,
  formatCounted,
  toAgreementText,
  toShareText,
} from '#components/format/numbers.ts'
import { ListScreen } from '#components/list/list-screen.tsx'
import { ListSearch, NothingFound } from '#components/list/list-search.tsx'
import { ListSkeleton } from '#components/list/list-skeleton.tsx'
import type { ListCell } from '#components/list/list-table.tsx'
import { toSignedText } from '#components/marks/consensus-change.tsx'
import { Instant } from '#components/time/instant.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { RulePopover } from '#components/ui/help-popover.tsx'
import { usersOptions } from '#lib/client/user-options.ts'
import { ACTIVITY_WEEKS } from '#lib/contract/answers/limits.ts'
import type { UserRow, UsersPage } from '#lib/contract/answers/users.ts'
import {
  RANKED_TABLE,
  rankedUsersQuery,
  type UsersQuery,
  userList,
  usersQuery,
} from '#lib/contract/lists/users.ts'
import { ComparedLine } from './compared-line.tsx'
import { WilsonText } from './confidence.tsx'
import { HorizonChoice, NoPrices } from './track/horizon-choice.tsx'
import { STANDING_CELLS } from './track/standing-cells.tsx'
import { toLuckText } from './track/track-texts.ts'
import { UsersTabs } from './users-tabs.tsx'

/** `isRanked`: prices exist, so users are ranked by them. */
type UsersScreenProps = { isRanked: boolean }

export function UsersScreen({ isRanked }: UsersScreenProps) {
  const schema = isRanked ? rankedUsersQuery : usersQuery
  const view = useListView('/users', schema, { asked: usersQuery })
  const answer = useQuery(usersOptions(view.params))
  const { data } = answer
  const { horizon, per_page } = view.query
  return (
    <ListScreen
      actions={
        <>
          <ListSearch
            inputMode="numeric"
            label="Search users by number"
            placeholder="Find by number"
            view={view}
          />
          <TimeMachine />
        </>
      }
      answer={answer}
      cells={isRanked ? RANKED_CELLS : CELLS}
      empty={<NothingFound one={userList.one} refetch={answer.refetch} view={view} />}
      exported={
        data && {
          counted: { rows: data.page.total, asOf: data.meta.as_of },
          named: { of: 'users', list: userList, asked: view.query },
        }
      }
      head={
        <>
          <UsersTabs current="users" horizon={horizon} />
          {isRanked ? (
            <LuckLine standings={data?.standings} view={view} />
          ) : (
            <NoPrices>Without prices, no user can be compared with a coin.</NoPrices>
          )}
          <ComparedLine view={view} />
        </>
      }
      list={isRanked ? RANKED_LIST : userList}
      loading={<ListSkeleton name={userList.page.title} rows={per_page} />}
      toKey={toKey}
      view={view}
    >
      <p className="text-sm text-ink-3">
        Agreement is the share of votes that agreed, as last seen. Bias is how far the active
        ratings are from those of others on the same symbols. Few votes or ratings rank lower: see
        the rule at each heading.
      </p>
    </ListScreen>
  )
}

const RANKED_LIST = { ...userList, table: RANKED_TABLE }

type LuckLineProps = {
  view: Pick<ListView<UsersQuery>, 'query' | 'change'>
  standings: UsersPage['standings'] | undefined
}

function LuckLine({ view, standings }: LuckLineProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <p className="text-lg text-pretty">{standings !== undefined && toLuckText(standings.luck)}</p>
      <HorizonChoice
        horizon={view.query.horizon}
        onChange={(horizon) => view.change({ horizon })}
      />
    </div>
  )
}

const toKey = ({ user_id }: UserRow) => String(user_id)

/** The scale is fixed, so that rows are comparable. */
function ActivityBars({ activity }: { activity: readonly number[] }) {
  const reading = toBarsReading(activity)
  return (
    <RowPicture
      box={[-BAR / 2, 0, activity.length, FULL_WEEK]}
      of={activity}
      points={toBarPoints(activity)}
      reading={reading}
    />
  )
}

/** Fraction of a week's width; must match `row-figures.css`. */
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

export function toBarsReading(activity: readonly number[]): string {
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
  const share = toAgreementText(agree, disagree)
  if (share === null || low === null) return <span>no votes</span>
  return (
    <>
      {`${share} `}
      <span>{`≥ ${toShareText(low)}`}</span>{' '}
      <span data-n>{`n=${formatCount(agree + disagree)}`}</span>
    </>
  )
}

function BiasCell({ row: { bias, bias_n: count } }: { row: UserRow }) {
  if (bias === null) return <span>–</span>
  return (
    <>
      {`${toSignedText(bias)} `}
      <span data-n>{`n=${formatCount(count)}`}</span>
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
    <p>
      The share of the n votes on a user’s ratings that agreed. Sorted by the lower end of its
      interval (≥), so that three votes out of three do not lead the list.
    </p>
    <WilsonText />
    <p>Votes are known only as last seen: they are the same on every date that you rewind to.</p>
  </RulePopover>
)

const BiasRule = () => (
  <RulePopover name="How bias is ranked">
    <p>
      Mean distance of a user’s n active ratings from the mean of the others’ active ratings of the
      same symbol, in steps of the scale: +1.00 is one step more bullish. Only symbols with at least
      3 others count.
    </p>
    <p>Sorted by that mean pulled toward 0, as if 10 more ratings had been at the mean:</p>
    <p className="rounded bg-sunk px-2 py-1 font-mono text-ink">Σ distance / (n + 10)</p>
    <p>
      Shrinkage after W. James and C. Stein, “Estimation with Quadratic Loss”, 1961; the weight of
      10 is our choice. Bias is not a fault: the crowd may be wrong.
    </p>
  </RulePopover>
)

type UserCells = Readonly<Partial<Record<(typeof RANKED_TABLE)[number], ListCell<UserRow>>>>

const CELLS: UserCells = {
  user_id: {
    card: 'name',
    widthPx: 80,
    render: ({ user_id }) => <AsOfLink href={toUserHref(user_id)}>{`#${user_id}`}</AsOfLink>,
  },
  ratings: { card: 'end', cardLabel: 'Ratings', widthPx: 70 },
  symbols: { leaves: 2, widthPx: 70 },
  recent: { leaves: 4, widthPx: 90, rule: <ActivityRule /> },
  activity: {
    leaves: 1,
    widthPx: 244,
    card: 'sorted',
    className: 'activity',
    render: ({ activity }) => <ActivityBars activity={activity} />,
  },
  agreement: {
    leaves: 3,
    widthPx: 160,
    rule: <AgreementRule />,
    className: 'agreement',
    render: (row) => <AgreementCell row={row} />,
  },
  bias: {
    leaves: 2,
    card: 'sorted',
    rule: <BiasRule />,
    className: 'bias',
    render: (row) => <BiasCell row={row} />,
  },
  last_created_at: {
    card: 'sorted',
    render: ({ last_created_at }) => <Instant seconds={last_created_at} />,
  },
}

const RANKED_CELLS: UserCells = {
  ...CELLS,
  ...STANDING_CELLS,
  ratings: { widthPx: 70 },
  symbols: { ...CELLS.symbols, card: 'sorted' },
  recent: { ...CELLS.recent, card: 'sorted' },
  agreement: { ...CELLS.agreement, card: 'sorted' },
}
