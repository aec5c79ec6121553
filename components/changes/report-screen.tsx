'use client'

import { useQuery } from '@tanstack/react-query'
import { ViewMenu } from '#components/export/view-links.tsx'
import { ArchiveWaiting } from '#components/feedback/archive-filling.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { IgnoredNotice } from '#components/feedback/ignored-notice.tsx'
import { toZonedDay, zonedMidnight } from '#components/format/instants.ts'
import { formatConsensus, formatCount, formatCounted } from '#components/format/numbers.ts'
import { DayField } from '#components/list/day-field.tsx'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { RatingChange } from '#components/marks/rating-marks.tsx'
import { toPartsText } from '#components/symbols/moves/move-texts.ts'
import { AsOfLink, AsOfProvider, SymbolLink, useTimedTitle } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { HelpPopover } from '#components/ui/popover.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { changesOptions } from '#lib/client/symbol-options.ts'
import { useUrlQuery } from '#lib/client/url-query.ts'
import type { Changes } from '#lib/contract/answers/changes.ts'
import { CONSENSUS_MIN, UNMOVED } from '#lib/contract/answers/limits.ts'
import type { Moves } from '#lib/contract/answers/symbols.ts'
import { changesQuery } from '#lib/contract/api-queries.ts'
import {
  toChangesHref,
  toRatingHref,
  toRatingsHref,
  toUserHref,
  toWhyHref,
} from '#lib/contract/page-addresses.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { CHANGES_FEED } from '#lib/contract/ratings-query.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

const PAGE_PX = 900

export function ReportScreen() {
  const { view, change, given, ignored, canonicalHref } = useChangesView()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    changesOptions(toParams(changesQuery, view)),
  )
  useTimedTitle('What changed')
  return (
    <AsOfProvider asof={view.asof}>
      <PageHeader
        actions={
          <>
            <TimeMachine />
            <ViewMenu feed={{ what: 'What changed, week by week', path: CHANGES_FEED }} />
          </>
        }
        title="What changed"
      />
      <IgnoredNotice href={canonicalHref} ignored={ignored} params={given} />
      {data === undefined && error === null && <Skeleton className="rounded-lg" height={PAGE_PX} />}
      {error !== null && (
        <FailureNotice
          error={error}
          kept={data && 'The content below was loaded earlier.'}
          onRetry={() => void refetch()}
          what="What changed"
        />
      )}
      {data !== undefined && isEmpty(data.data) && (
        <ArchiveWaiting onArrival={() => void refetch()} />
      )}
      {data !== undefined && (
        <div
          aria-busy={isPlaceholderData}
          className={`flex min-w-0 flex-col gap-5 ${isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <Summary changes={data.data} now={data.meta.as_of} />
          <PeriodControls change={change} period={data.data} now={data.meta.as_of} />
          <LargestMoves changes={data.data} />
          <ChangedMinds changes={data.data} />
        </div>
      )}
    </AsOfProvider>
  )
}

const isEmpty = ({ ratings, active_to }: Changes) => ratings === 0 && active_to === 0

function useChangesView() {
  const { query: view, params: given, ignored, setQuery: change } = useUrlQuery(changesQuery)
  const canonicalHref = toChangesHref(view)
  return { view, change, given, ignored, canonicalHref }
}

type Period = Pick<Changes, 'from' | 'to'>

type ControlsProps = { period: Period; now: number; change: (period: Period) => void }

function PeriodControls({ period: { from, to }, now, change }: ControlsProps) {
  const zone = useZone()
  const choose = (days: { first?: string; last?: string }) => {
    const [first, last] = [
      days.first ?? toZonedDay(from, zone),
      days.last ?? toZonedDay(to - 1, zone),
    ]
    if (first === '' || last === '') return
    const begin = zonedMidnight(first, zone)
    // Days may have 23 or 25 hours.
    const end = zonedMidnight(toZonedDay(zonedMidnight(last, zone) + DAY_AND_A_BIT, zone), zone)
    change({ from: begin, to: Math.max(end, begin + 1) })
  }
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2 print:hidden">
      <nav aria-label="Weeks" className="flex flex-wrap gap-1.5">
        <AsOfLink
          className="button button-outline button-regular"
          href={toChangesHref({ to: from })}
        >
          ‹ Week before
        </AsOfLink>
        <AsOfLink className="button button-outline button-regular" href="/changes">
          Last whole week
        </AsOfLink>
        {to <= now && (
          <AsOfLink
            className="button button-outline button-regular"
            href={toChangesHref({ from: to })}
          >
            Week after ›
          </AsOfLink>
        )}
      </nav>
      <div className="flex flex-wrap gap-2">
        <DayField day={toZonedDay(from, zone)} label="From" set={(day) => choose({ first: day })} />
        <DayField day={toZonedDay(to - 1, zone)} label="To" set={(day) => choose({ last: day })} />
        <HelpPopover label="About weeks">
          Weeks begin on Sunday at 00:00 in New York, like the weekly dumps.
        </HelpPopover>
      </div>
    </div>
  )
}

const DAY_AND_A_BIT = 26 * 3600

function Summary({ changes, now }: { changes: Changes; now: number }) {
  const { from, to, ratings, users, symbols, new_users: first } = changes
  const isOver = to <= now
  return (
    <p className="max-w-[80ch] text-lg text-pretty">
      From <Instant seconds={from} /> {isOver ? 'to' : 'until now,'}{' '}
      <Instant seconds={isOver ? to : now} />,{' '}
      <AsOfLink className="link" href={toRatingsHref({ from, to })}>
        {formatCounted(ratings, 'rating')}
      </AsOfLink>{' '}
      {ratings === 1 ? 'was' : 'were'} posted by {formatCounted(users, 'user')} on{' '}
      {formatCounted(symbols, 'symbol')}
      {first > 0 &&
        `, ${first === users ? 'all of them' : `${formatCount(first)} of them`} for the first time`}
      .
    </p>
  )
}

function LargestMoves({ changes }: { changes: Changes }) {
  return (
    <Panel
      action={
        <HelpPopover label="About the largest moves">
          Consensus at the end of the week minus consensus at its start, for symbols with at least{' '}
          {CONSENSUS_MIN} active ratings at both, largest first. Symbols are selected as if{' '}
          {UNMOVED} more opinions had not moved, so that symbols with few ratings do not crowd out
          the rest. The symbol’s page shows every part of its change.
        </HelpPopover>
      }
      title="Largest moves"
    >
      {changes.moves.length === 0 ? (
        <p className="text-ink-3">No consensus of {CONSENSUS_MIN} or more ratings moved.</p>
      ) : (
        <ol className="rounded-lg border bg-surface">
          {changes.moves.map((moves) => (
            <Move key={moves.symbol} moves={moves} period={changes} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

function Move({ moves, period }: { moves: Moves; period: Pick<Changes, 'from' | 'to'> }) {
  const parts = toPartsText(moves)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_4.5rem] items-baseline gap-x-4 border-b px-4 py-2 last:border-b-0 sm:grid-cols-[10rem_9rem_4.5rem_minmax(0,1fr)]">
      <AsOfLink
        className="link min-w-0 font-semibold wrap-anywhere"
        href={toWhyHref(moves.symbol, period)}
      >
        <bdi>{toVisibleText(moves.symbol)}</bdi>
      </AsOfLink>
      <span className="number">
        {formatConsensus(moves.consensus_from)} → {formatConsensus(moves.consensus_to)}
      </span>
      <span className="number text-right font-semibold">
        <ConsensusChange of={moves.change} />
      </span>
      <span className="min-w-0 text-sm text-ink-2 max-sm:col-span-3">
        {parts === '' ? 'Many small parts' : parts}{' '}
        <span className="whitespace-nowrap text-ink-3">
          · n={formatCount(moves.active_from)} → {formatCount(moves.active_to)}
        </span>
      </span>
    </li>
  )
}

function ChangedMinds({ changes: { minds } }: { changes: Changes }) {
  const title = 'Who changed their minds'
  return (
    <Panel
      action={
        <HelpPopover label="About changed minds">
          Ratings that replaced the same user’s active rating of the symbol, largest difference
          first.
        </HelpPopover>
      }
      title={title}
    >
      {minds.length === 0 ? (
        <p className="text-ink-3">No user replaced a rating with a higher or lower one.</p>
      ) : (
        <TableFrame aria-label={title}>
          <Table aria-label={title} cards>
            <TableHead>
              <HeaderCell>Symbol</HeaderCell>
              <HeaderCell>User</HeaderCell>
              <HeaderCell>Rating</HeaderCell>
              <HeaderCell>Posted</HeaderCell>
            </TableHead>
            <tbody>
              {minds.map(({ id, user_id, symbol, before, rating, created_at }) => (
                <tr key={id}>
                  <th scope="row">
                    <SymbolLink className="link font-semibold" symbol={symbol} />
                  </th>
                  <Cell label="user">
                    <AsOfLink className="link" href={toUserHref(user_id)}>
                      {user_id}
                    </AsOfLink>
                  </Cell>
                  <Cell card="end">
                    <AsOfLink href={toRatingHref(id)}>
                      <RatingChange code={rating} previousCode={before} />
                    </AsOfLink>
                  </Cell>
                  <Cell card="foot">
                    <Instant seconds={created_at} />
                  </Cell>
                </tr>
              ))}
            </tbody>
          </Table>
        </TableFrame>
      )}
    </Panel>
  )
}
