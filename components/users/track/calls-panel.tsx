'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { toZonedDay } from '#components/format/instants.ts'
import { formatPrediction } from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import { ColumnsMenu } from '#components/list/columns/columns-menu.tsx'
import { type ListCell, ListTable } from '#components/list/list-table.tsx'
import { Pager } from '#components/list/pager.tsx'
import { type ListTableModel, useListTable } from '#components/list/use-list-table.ts'
import { RatingMark } from '#components/marks/rating-marks.tsx'
import { useMay } from '#components/permissions/use-may.tsx'
import { AsOfLink, useAsOfHref } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import {
  CALLS_LISTED,
  toListedCallsParams,
  toUserCallsParams,
  type UserView,
  userPageQuery,
} from '#components/users/user-view.ts'
import { callsOptions } from '#lib/client/user-options.ts'
import type { Call, CallsPage } from '#lib/contract/answers/track.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { toPlainPath } from '#lib/contract/export-path.ts'
import { callList } from '#lib/contract/lists/calls.ts'
import { toRatingHref, toSymbolHref, toUserHref } from '#lib/contract/page-addresses.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { HorizonChoice } from './horizon-choice.tsx'
import { toCloseText } from './track-texts.ts'

const TABLE_PX = 33 + CALLS_LISTED * 28

type CallsPanelProps = {
  userId: number
  view: UserView
  change: (changes: Partial<UserView>) => void
}

export function CallsPanel({ userId, view, change }: CallsPanelProps) {
  const answer = useQuery(callsOptions(toListedCallsParams(userId, view)))
  const { data, error, refetch } = answer
  const mayExport = useMay('export')
  const params = toUserCallsParams(userId, view)
  const model = useListTable({
    list: callList,
    cells: CELLS,
    rows: data?.data,
    toKey,
    view: { query: view },
  })
  return (
    <Panel
      action={
        <span className="flex flex-wrap items-center gap-2">
          <HorizonChoice
            horizon={view.horizon}
            onChange={(horizon) => change({ horizon, page: 1 })}
          />
          <ColumnsMenu {...model} leavesUntil="others hidden" />
        </span>
      }
      title="Calls"
    >
      {data === undefined && error === null && (
        <Skeleton className="rounded-lg" height={TABLE_PX} />
      )}
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} what="The calls" />
      )}
      {data !== undefined && (
        <SortedCalls
          change={change}
          isDimmed={answer.isPlaceholderData}
          model={model}
          page={data.page}
          userId={userId}
          view={view}
        />
      )}
      {mayExport && (
        <a className="link w-fit text-sm" download href={withBase(toPlainPath('calls', params))}>
          All calls as CSV
        </a>
      )}
    </Panel>
  )
}

type SortedCallsProps = CallsPanelProps & {
  model: ListTableModel<Call>
  page: CallsPage['page']
  isDimmed: boolean
}

function SortedCalls({ model, page, view, change, userId, isDimmed }: SortedCallsProps) {
  const withAsOf = useAsOfHref()
  const hrefFor = (changes: Partial<UserView>) =>
    withAsOf(toUserHref(userId, toParams(userPageQuery, { ...view, ...changes })))
  const sorted = {
    query: view,
    hrefFor: (changes: Pick<UserView, 'sort'>) => hrefFor({ page: 1, ...changes }),
    change: (changes: Pick<UserView, 'sort'>) => change({ page: 1, ...changes }),
  }
  return (
    <>
      <ListTable
        cells={CELLS}
        id="rows"
        isDimmed={isDimmed}
        list={callList}
        model={model}
        name={`Calls of user ${userId}`}
        view={sorted}
      />
      {page.pages > 1 && (
        <Pager
          hrefFor={(number) => hrefFor({ page: number })}
          number={page.number}
          onPage={(number) => change({ page: number })}
          pages={page.pages}
          size={page.size}
          total={page.total}
        />
      )}
    </>
  )
}

const toKey = ({ id }: Call) => String(id)

const CELLS: Readonly<Record<(typeof callList.table)[number], ListCell<Call>>> = {
  created_at: { card: 'end', widthPx: 100, render: (call) => <RatingLink call={call} /> },
  symbol: {
    card: 'name',
    widthPx: 80,
    render: ({ symbol }) => (
      <AsOfLink className="font-medium" href={toSymbolHref(symbol)}>
        {toVisibleText(symbol)}
      </AsOfLink>
    ),
  },
  rating: { card: 'name', render: ({ rating }) => <RatingMark code={rating} /> },
  hit: { render: (call) => <Result call={call} /> },
  excess: { widthPx: 140, render: ({ excess }) => toSignedPercent(excess) },
  return: {
    card: 'sorted',
    leaves: 4,
    widthPx: 80,
    render: (call) => toSignedPercent(call.return),
  },
  benchmark: {
    card: 'sorted',
    leaves: 3,
    widthPx: 80,
    render: ({ benchmark }) => <span className="text-ink-3">{toSignedPercent(benchmark)}</span>,
  },
  entry_date: {
    card: 'sorted',
    leaves: 4,
    widthPx: 140,
    render: (call) => <Dated close={call.entry_close} day={call.entry_date} />,
  },
  exit_date: {
    card: 'sorted',
    leaves: 4,
    widthPx: 140,
    render: (call) => <Dated close={call.exit_close} day={call.exit_date} />,
  },
  prediction: {
    leaves: 4,
    widthPx: 80,
    render: ({ prediction }) => formatPrediction(prediction),
  },
}

function RatingLink({ call }: { call: Call }) {
  const zone = useZone()
  return (
    <AsOfLink className="row-link" href={toRatingHref(call.id)}>
      <Instant seconds={call.created_at}>{toZonedDay(call.created_at, zone)}</Instant>
      <span className="sr-only">: the rating of {toVisibleText(call.symbol)}</span>
    </AsOfLink>
  )
}

const RESULTS: Readonly<Record<string, string>> = {
  '1': '✓ right',
  '0.5': '½ even',
  '0': '✕ wrong',
}

const OUTCOME_WORDS: Readonly<Record<Call['outcome'], string>> = {
  scored: '',
  open: 'not over yet',
  hold: 'hold, no direction',
  no_price: 'no price',
  no_entry: 'no price within 7 days',
  jump: 'across a price jump',
}

const Result = ({ call: { hit, outcome } }: { call: Call }) =>
  hit === null ? <span className="text-ink-3">{OUTCOME_WORDS[outcome]}</span> : RESULTS[String(hit)]

const Dated = ({ day, close }: { day: string | null; close: string | null }) =>
  day === null ? (
    <span className="text-ink-3">–</span>
  ) : (
    <>
      {toCloseText(close)} <span className="text-ink-3">{day}</span>
    </>
  )
