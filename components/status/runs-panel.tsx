'use client'

import { formatRelative } from '#components/format/relative.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { InstantButton } from '#components/time/instant.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { SyncRun } from '#lib/contract/answers/status.ts'
import { MOVE_WORDS } from './move-words.ts'
import { StatusPanel } from './panel-frame.tsx'
import { toRowChanges, toTook } from './run-text.ts'

const OUTCOMES: Record<SyncRun['outcome'], string> = {
  done: 'done',
  failed: 'failed',
  interrupted: 'broken off',
}

/** What ran lately, the newest first. `now` is the server's clock in seconds. */
export function RunsPanel({ runs, now }: { runs: readonly SyncRun[]; now: number }) {
  const formats = useFormats()
  return (
    <StatusPanel id="runs" title="What ran" detail="the last few of each kind">
      {runs.length === 0 ? (
        <p className="text-ink-3">Nothing yet.</p>
      ) : (
        <TableFrame bare aria-label="Runs of the sync" className="-mx-5">
          <Table aria-label="Runs of the sync">
            <TableHead>
              <HeaderCell className="first:pl-5">Run</HeaderCell>
              <HeaderCell>Ended</HeaderCell>
              <HeaderCell numeric>Took</HeaderCell>
              <HeaderCell numeric>Requests</HeaderCell>
              <HeaderCell className="w-full last:pr-5">Outcome</HeaderCell>
            </TableHead>
            <tbody>
              {runs.map((run) => (
                <Row key={`${run.move} ${run.started_at} ${run.ended_at}`}>
                  <Cell className="first:pl-5">
                    <span title={MOVE_WORDS[run.move].meaning}>{MOVE_WORDS[run.move].title}</span>
                  </Cell>
                  <Cell>
                    <InstantButton seconds={run.ended_at}>
                      {formatRelative(run.ended_at, now)}
                    </InstantButton>
                  </Cell>
                  <Cell numeric>{toTook(run.ended_at - run.started_at)}</Cell>
                  <Cell numeric>{formats.formatCount(run.requests)}</Cell>
                  <Cell className="min-w-64 whitespace-normal last:pr-5">
                    <span className={run.outcome === 'done' ? 'sr-only' : 'text-rating-text-2'}>
                      {OUTCOMES[run.outcome]}
                      {run.reason !== null && ': '}
                    </span>
                    {run.reason}
                    <span className="text-ink-3">
                      {run.reason !== null && run.rows !== null && ' '}
                      {toRowChanges(run.rows, formats)}
                    </span>
                  </Cell>
                </Row>
              ))}
            </tbody>
          </Table>
        </TableFrame>
      )}
    </StatusPanel>
  )
}
