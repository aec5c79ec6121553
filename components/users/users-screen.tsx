'use client'

import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import { ListScreen } from '#components/list/list-screen.tsx'
import { ListSearch, NothingFound } from '#components/list/list-search.tsx'
import { ListSkeleton } from '#components/list/list-skeleton.tsx'
import type { ListCell } from '#components/list/list-table.tsx'
import { type ListView, useListView } from '#components/list/use-list.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { HelpPopover } from '#components/ui/popover.tsx'
import { usersOptions } from '#lib/client/user-options.ts'
import type { UserRow, UsersPage } from '#lib/contract/answers/users.ts'
import {
  RANKED_TABLE,
  rankedUsersQuery,
  type UsersQuery,
  userList,
  usersQuery,
} from '#lib/contract/lists/users.ts'
import { toUserHref } from '#lib/contract/page-addresses.ts'
import { HorizonChoice, NoPrices } from './track/horizon-choice.tsx'
import { Interval } from './track/interval.tsx'
import { toLuckText, toPercent, toSpan } from './track/track-texts.ts'
import { UsersTabs } from './users-tabs.tsx'

/** `isRanked`: prices exist, so users are ranked by them. */
type UsersScreenProps = { isRanked: boolean }

export function UsersScreen({ isRanked }: UsersScreenProps) {
  const schema = isRanked ? rankedUsersQuery : usersQuery
  const view = useListView('/users', schema, usersQuery)
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
        </>
      }
      list={isRanked ? RANKED_LIST : userList}
      loading={<ListSkeleton name={userList.page.title} rows={per_page} />}
      toKey={toKey}
      view={view}
    />
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
  <HelpPopover label="How users are ranked by their records">
    <p>
      The percentage of separate calls that were right: a buy whose symbol then beat the benchmark,
      or a sell whose symbol trailed it. The line is Wilson’s 95% interval; its middle is a coin,
      which is right half of the time.
    </p>
    <p>
      Ranked by the lower end of the interval, so that three right calls out of three do not lead
      the list; at least 5 separate calls. Overlapping calls of a user on one symbol count once.
    </p>
  </HelpPopover>
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
  last_created_at: {
    card: 'sorted',
    render: ({ last_created_at }) => <Instant seconds={last_created_at} />,
  },
}

const RANKED_CELLS: UserCells = {
  ...CELLS,
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
  ratings: { widthPx: 70 },
  symbols: { ...CELLS.symbols, card: 'sorted' },
}
