'use client'

import { useQuery } from '@tanstack/react-query'
import {
  type ColumnDef,
  functionalUpdate,
  rowSortingFeature,
  type SortingState,
  type TableOptions,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import { useZone, useZonedHref, ZonedLink } from '#components/address/outlook.tsx'
import { toSymbolHref, toUserHref } from '#components/address/page-address.ts'
import { toRatingHref } from '#components/address/rating-address.ts'
import {
  CALLS_LISTED,
  toListedCallsParams,
  toUserCallsParams,
  type UserView,
  userPageQuery,
} from '#components/address/user-address.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { toZonedDay } from '#components/format/instants.ts'
import type { Formats } from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { RatingMark } from '#components/marks/rating-marks.tsx'
import { useMay } from '#components/permissions/use-may.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { SortHeader, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { callsOptions } from '#lib/client/query-options.ts'
import type { Call, CallsPage } from '#lib/contract/answers/track.ts'
import { CALL_SORTS, type CallSort } from '#lib/contract/api-queries.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { PLAIN_CSV, toFilePath } from '#lib/contract/export-choice.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toCloseText } from './track-texts.ts'

const TABLE_PX = 33 + CALLS_LISTED * 28

type CallsTableProps = {
  userId: number
  view: UserView
  change: (changes: Partial<UserView>) => void
}

/** Every rating of a user as a call, with what became of it; sorted and paged by the server. */
export function CallsTable({ userId, view, change }: CallsTableProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(
    callsOptions(toListedCallsParams(userId, view)),
  )
  const mayExport = useMay('export')
  const params = toUserCallsParams(userId, view)
  return (
    <section aria-label="Calls" className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="text-sm font-medium text-ink-3">Each call, and what came of it</h3>
        {mayExport && (
          <a
            className="link text-sm"
            download
            href={withBase(toFilePath('calls', params, PLAIN_CSV))}
          >
            All of them as CSV
          </a>
        )}
      </div>
      {data === undefined && error === null && (
        <Skeleton className="rounded-lg" height={TABLE_PX} />
      )}
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} what="The calls" />
      )}
      {data !== undefined && (
        <Listed
          answer={data}
          change={change}
          isDimmed={isPlaceholderData}
          userId={userId}
          view={view}
        />
      )}
    </section>
  )
}

type ListedProps = CallsTableProps & { answer: CallsPage; isDimmed: boolean }

function Listed({ answer, view, change, userId, isDimmed }: ListedProps) {
  const table = useCallsTable(answer, view, change)
  const zoned = useZonedHref()
  const formats = useFormats()
  const name = `Calls of user ${userId}`
  const hrefFor = (changes: Partial<UserView>) =>
    zoned(toUserHref(userId, toParams(userPageQuery, { ...view, ...changes })))
  return (
    <>
      <TableFrame aria-label={name}>
        <Table
          aria-busy={isDimmed}
          aria-label={name}
          className={`calls-table ${isDimmed ? 'opacity-60' : ''}`}
        >
          <TableHead>
            {COLUMNS.map(({ id, label, numeric }) => {
              const column = table.getColumn(id)
              const next = column?.getNextSortingOrder() || 'desc'
              return (
                <SortHeader
                  key={id}
                  direction={column?.getIsSorted() || null}
                  href={hrefFor({ page: 1, sort: { column: id, direction: next } })}
                  label={label}
                  numeric={numeric === true}
                  onSort={() => column?.toggleSorting()}
                />
              )
            })}
          </TableHead>
          <tbody>
            {table.getRowModel().rows.map(({ id, original }) => (
              <tr key={id}>
                {COLUMNS.map((column) => (
                  <td key={column.id} className={column.numeric ? 'number' : undefined}>
                    {column.draw(original, formats)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </TableFrame>
      {answer.page.pages > 1 && (
        <Pager
          hrefFor={(page) => hrefFor({ page })}
          number={answer.page.number}
          onPage={(page) => change({ page })}
          pages={answer.page.pages}
          size={answer.page.size}
          total={answer.page.total}
        />
      )}
    </>
  )
}

const features = tableFeatures({ rowSortingFeature })

/** The page of calls as a table: its order is that of the address, and rows come in it. */
function useCallsTable(answer: CallsPage, view: UserView, change: CallsTableProps['change']) {
  const { column, direction } = view.sort
  const sorting = useMemo(
    (): SortingState => [{ id: column, desc: direction === 'desc' }],
    [column, direction],
  )
  const options = useMemo(
    (): TableOptions<typeof features, Call> => ({
      features,
      columns: TABLE_COLUMNS,
      data: answer.data,
      getRowId: ({ id }) => String(id),
      state: { sorting },
      manualSorting: true,
      enableSortingRemoval: false,
      enableMultiSort: false,
      onSortingChange: (updater) => {
        const [next] = functionalUpdate(updater, sorting)
        const sorted = CALL_SORTS.find((name) => name === next?.id)
        if (next && sorted) {
          change({ page: 1, sort: { column: sorted, direction: next.desc ? 'desc' : 'asc' } })
        }
      },
    }),
    [answer, sorting, change],
  )
  return useTable(options)
}

type Column = {
  id: CallSort
  label: string
  numeric?: boolean
  draw: (call: Call, formats: Formats) => ReactNode
}

/** What matters first: a narrow screen sees the beginning. */
const COLUMNS: readonly Column[] = [
  { id: 'created_at', label: 'Posted', draw: (call) => <RatingLink call={call} /> },
  {
    id: 'symbol',
    label: 'Symbol',
    draw: ({ symbol }) => (
      <ZonedLink className="font-medium" href={toSymbolHref(symbol)} prefetch={false}>
        {toVisibleText(symbol)}
      </ZonedLink>
    ),
  },
  { id: 'rating', label: 'Rating', draw: ({ rating }) => <RatingMark code={rating} /> },
  { id: 'hit', label: 'Result', draw: (call) => <Result call={call} /> },
  {
    id: 'excess',
    label: 'Against the benchmark',
    numeric: true,
    draw: ({ excess }, formats) => toSignedPercent(excess, formats),
  },
  {
    id: 'return',
    label: 'Return',
    numeric: true,
    draw: (call, formats) => toSignedPercent(call.return, formats),
  },
  {
    id: 'benchmark',
    label: 'Benchmark',
    numeric: true,
    draw: ({ benchmark }, formats) => (
      <span className="muted">{toSignedPercent(benchmark, formats)}</span>
    ),
  },
  {
    id: 'entry_date',
    label: 'Entry',
    numeric: true,
    draw: (call, formats) => (
      <Dated close={call.entry_close} day={call.entry_date} {...{ formats }} />
    ),
  },
  {
    id: 'exit_date',
    label: 'Exit',
    numeric: true,
    draw: (call, formats) => (
      <Dated close={call.exit_close} day={call.exit_date} {...{ formats }} />
    ),
  },
  {
    id: 'prediction',
    label: 'Prediction',
    numeric: true,
    draw: ({ prediction }, { formatPrediction }) => formatPrediction(prediction),
  },
]

/** The same as the table knows them; text and days from the top, figures from the largest. */
const TABLE_COLUMNS = COLUMNS.map(
  ({ id }): ColumnDef<typeof features, Call> => ({
    id,
    accessorKey: id,
    sortDescFirst: id !== 'symbol',
  }),
)

function RatingLink({ call }: { call: Call }) {
  const zone = useZone()
  return (
    <ZonedLink className="row-link" href={toRatingHref(call.id)} prefetch={false}>
      <Instant seconds={call.created_at}>{toZonedDay(call.created_at, zone)}</Instant>
      <span className="sr-only">: the rating of {toVisibleText(call.symbol)}</span>
    </ZonedLink>
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
}

const Result = ({ call: { hit, outcome } }: { call: Call }) =>
  hit === null ? <span className="muted">{OUTCOME_WORDS[outcome]}</span> : RESULTS[String(hit)]

/** A day and the close of it. */
const Dated = ({
  day,
  close,
  formats,
}: {
  day: string | null
  close: string | null
  formats: Formats
}) =>
  day === null ? (
    <span className="muted">–</span>
  ) : (
    <>
      {toCloseText(close, formats)} <span className="muted">{day}</span>
    </>
  )
