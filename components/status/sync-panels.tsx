'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { describeProgress, describeStep } from '#components/feedback/progress-text.ts'
import { formatCountdown, formatRelative } from '#components/format/instants.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { useMay } from '#components/permissions/use-may.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { ProgressBar } from '#components/ui/loading.tsx'
import { LiveRegion, Notice } from '#components/ui/messages.tsx'
import { Card } from '#components/ui/panels.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { sendOperation } from '#lib/client/fetch-api.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import type { LogEvent, PlannedMove, Status, SyncRun } from '#lib/contract/answers/status.ts'
import { processOperations } from '#lib/contract/operations/commands.ts'
import { StateDot } from './freshness.tsx'
import { canSyncNow, MOVE_WORDS, SYNC_WORDS, toRowChanges, toTook } from './status-texts.ts'

type SyncPanelProps = {
  sync: Status['sync']
  /** Requests. */
  cost: number
  /** Seconds since 1970, server's clock. */
  now: number
}

export function SyncPanel({ sync, cost, now }: SyncPanelProps) {
  const syncNow = useSyncNow()
  const maySync = useMay('sync')
  const { tone, title, meaning } = SYNC_WORDS[sync.state]
  return (
    <section aria-label="Sync" className="flex flex-col gap-4 rounded-lg border bg-surface p-5">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="flex items-center gap-2.5 text-lg">
            <StateDot tone={tone} />
            {title}
          </h2>
          <p className="mt-1 max-w-text text-ink-2">{sync.reason ?? meaning}</p>
          {sync.next_at !== null && sync.progress === null && (
            <p className="text-ink-3">
              {syncNow.isSuccess && 'Requested. '}
              Next check {sync.next_at > now ? formatRelative(sync.next_at, now) : 'now'}
            </p>
          )}
        </div>
        {maySync && (
          <Button
            onClick={() => syncNow.mutate()}
            disabled={syncNow.isPending || !canSyncNow(sync)}
          >
            Sync now
            <span className="font-normal text-ink-3"> · {formatCounted(cost, 'request')}</span>
          </Button>
        )}
      </div>
      {sync.progress && (
        <ProgressBar
          label={describeStep(sync.progress)}
          done={sync.progress.done}
          total={sync.progress.total}
          detail={describeProgress(sync.progress)}
        />
      )}
      {syncNow.isError && (
        <Notice tone="failure" title="The sync could not be started">
          {syncNow.error.message}
        </Notice>
      )}
      <LiveRegion message={syncNow.isSuccess ? 'Sync requested' : ''} />
    </section>
  )
}

function useSyncNow() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => sendOperation(processOperations.requestSync),
    onSettled: () => queryClient.invalidateQueries(statusOptions()),
  })
}

function toWhen(at: number, now: number): string {
  if (at <= now) return 'now'
  return at - now < 60 ? 'in a moment' : `in ${formatCountdown(at, now)}`
}

export function PlanPanel({ plan, now }: { plan: readonly PlannedMove[]; now: number }) {
  return (
    <Card id="plan" title="Planned">
      {plan.length === 0 ? (
        <p className="text-ink-3">Nothing is planned while the sync does not run.</p>
      ) : (
        <ol className="flex flex-col">
          {plan.map(({ move, at, cost, why }) => (
            <li key={move} className="border-t py-2.5 first:border-t-0 first:pt-0 last:pb-0">
              <p className="flex flex-wrap justify-between gap-x-4">
                <span className="font-semibold">{MOVE_WORDS[move].title}</span>
                <span>
                  {at === null ? (
                    'not this month'
                  ) : (
                    <Instant seconds={at}>{toWhen(at, now)}</Instant>
                  )}
                  <span className="text-ink-3">
                    {' · '}
                    {cost === 0 ? 'free' : formatCounted(cost, 'request')}
                  </span>
                </span>
              </p>
              <p className="text-ink-2">{why}</p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

const OUTCOMES: Record<SyncRun['outcome'], string> = {
  done: 'done',
  failed: 'failed',
  interrupted: 'interrupted',
}

export function RunsPanel({ runs, now }: { runs: readonly SyncRun[]; now: number }) {
  return (
    <Card id="runs" title="Recent runs" detail="the last few of each kind">
      {runs.length === 0 ? (
        <p className="text-ink-3">Nothing yet.</p>
      ) : (
        <TableFrame bleed aria-label="Runs of the sync">
          <Table cards aria-label="Runs of the sync">
            <TableHead>
              <HeaderCell>Run</HeaderCell>
              <HeaderCell>Ended</HeaderCell>
              <HeaderCell numeric>Took</HeaderCell>
              <HeaderCell numeric>Requests</HeaderCell>
              <HeaderCell className="w-full">Outcome</HeaderCell>
            </TableHead>
            <tbody>
              {runs.map((run) => (
                <tr key={`${run.move} ${run.started_at} ${run.ended_at}`}>
                  <Cell card="name">
                    <span title={MOVE_WORDS[run.move].meaning}>{MOVE_WORDS[run.move].title}</span>
                  </Cell>
                  <Cell card="end">
                    <Instant seconds={run.ended_at}>{formatRelative(run.ended_at, now)}</Instant>
                  </Cell>
                  <Cell label="took" numeric>
                    {toTook(run.ended_at - run.started_at)}
                  </Cell>
                  <Cell label="requests" numeric>
                    {formatCount(run.requests)}
                  </Cell>
                  <Cell card="wide" className="whitespace-normal sm:min-w-64">
                    <span className={run.outcome === 'done' ? 'sr-only' : 'text-rating-text-2'}>
                      {OUTCOMES[run.outcome]}
                      {run.reason !== null && ': '}
                    </span>
                    {run.reason}
                    <span className="text-ink-3">
                      {run.reason !== null && run.rows !== null && ' '}
                      {toRowChanges(run.rows)}
                    </span>
                  </Cell>
                </tr>
              ))}
            </tbody>
          </Table>
        </TableFrame>
      )}
    </Card>
  )
}

const LEVELS: Record<LogEvent['level'], { mark: string; word: string; ink: string }> = {
  info: { mark: '·', word: '', ink: 'text-ink-3' },
  warning: { mark: '!', word: 'Warning: ', ink: 'text-rating-text-2' },
  error: { mark: '×', word: 'Error: ', ink: 'text-rating-text-1' },
}

export function EventLogPanel({ events }: { events: readonly LogEvent[] }) {
  return (
    <Card id="events" title="Events" detail="newest first">
      {events.length === 0 ? (
        <p className="text-ink-3">Nothing yet.</p>
      ) : (
        <ol aria-label="Event log" className="flex flex-col">
          {events.map((event) => (
            <EventLine key={event.id} event={event} />
          ))}
        </ol>
      )}
    </Card>
  )
}

function EventLine({ event: { at, level, message, fields } }: { event: LogEvent }) {
  const { mark, word, ink } = LEVELS[level]
  const facts = Object.entries(fields).filter(
    ([, value]) => value !== null && value !== 0 && !message.includes(String(value)),
  )
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-1.5 border-t py-1.5 first:border-t-0 sm:grid-cols-[1rem_minmax(0,1fr)_auto]">
      <span aria-hidden className={classNames('text-center font-semibold', ink)}>
        {mark}
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">{word}</span>
        {message}
        {facts.length > 0 && (
          <span className="text-sm text-ink-3">
            {facts.map(([name, value]) => (
              <span key={name}>
                {' · '}
                {name.replaceAll('_', ' ')}{' '}
                {typeof value === 'number' ? formatCount(value) : String(value)}
              </span>
            ))}
          </span>
        )}
      </span>
      <Instant seconds={at} className="text-sm text-ink-3 max-sm:col-start-2" />
    </li>
  )
}
