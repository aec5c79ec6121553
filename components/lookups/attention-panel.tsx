'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SymbolLink } from '#components/address/as-of.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { RuleNote } from '#components/ui/help-popover.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { attentionOverviewOptions } from '#lib/client/lookups-options.ts'
import type { AttentionOverview, BeforeChanges } from '#lib/contract/answers/attention.ts'

export const ATTENTION = 'attention'

const PANEL_PX = 420

export function AttentionPanel({ asof }: { asof: number | null }) {
  const { data, error, refetch } = useQuery(attentionOverviewOptions(asof))
  return (
    <div id={ATTENTION} tabIndex={-1} className="scroll-mt-4">
      <Panel
        action={
          <RuleNote about="attention">
            Usual is the mean of the same weekdays in the previous 28 days. A week is busy if it has
            at least five look-ups, and more than chance brings in 999 of 1,000 weeks (Poisson).
            Shares are of all look-ups of 30 days and of all active ratings, for symbols with at
            least 20 of either. A difference before changes is reported if its interval excludes 1
            and does not overlap that of random times. Look-ups do not give reasons.
          </RuleNote>
        }
        title="Where attention goes"
      >
        {data === undefined && error === null && (
          <Skeleton className="rounded-lg" height={PANEL_PX} />
        )}
        {data === undefined && error !== null && (
          <FailureNotice error={error} onRetry={() => void refetch()} what="Attention" />
        )}
        {data !== undefined && <AttentionFigures attention={data.data} />}
      </Panel>
    </div>
  )
}

function AttentionFigures({ attention }: { attention: AttentionOverview }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-[80ch] text-pretty">
        {toBeforeText('an upgrade', attention.before_upgrades)}{' '}
        {toBeforeText('a downgrade', attention.before_downgrades)}
      </p>
      <div className="grid gap-4 lg:grid-cols-3">
        <AttentionList
          empty="No symbol was looked up more than usual."
          head={['7 days', 'Usual']}
          name="Busy now"
          rows={attention.busy.map(({ symbol, lookups, usual }) => ({
            symbol,
            cells: [formatCount(lookups), formatPlain(usual)],
          }))}
        />
        <AttentionList
          empty="No symbol with few ratings has a larger share of look-ups than of ratings."
          head={['30 days', 'Active']}
          name="Looked up, hardly rated"
          rows={attention.hardly_rated.map(toCompared)}
        />
        <AttentionList
          empty="No symbol with few look-ups has a larger share of ratings than of look-ups."
          head={['30 days', 'Active']}
          name="Rated, hardly looked up"
          rows={attention.hardly_looked_up.map(toCompared)}
        />
      </div>
    </div>
  )
}

const formatPlain = (usual: string) => Number(usual).toFixed(1)

const toCompared = ({ symbol, lookups, active }: AttentionOverview['hardly_rated'][number]) => ({
  symbol,
  cells: [formatCount(lookups), formatCount(active)],
})

export function toBeforeText(
  what: string,
  { changes, symbols, median, low, high, placebo, is_told }: BeforeChanges,
): string {
  if (median === null || placebo.median === null) {
    return `Too few symbols had ${what} in the period with look-ups to say what came before.`
  }
  const over = `${formatCounted(changes, 'change')} of ${formatCounted(symbols, 'symbol')}`
  const figures = `In the week before ${what}, a symbol was looked up ${median} times as often as usual (${low} to ${high}; ${over}); before random times, ${placebo.median} times.`
  return is_told ? figures : `${figures} The difference is not significant.`
}

type AttentionListProps = {
  name: string
  head: readonly [string, string]
  rows: readonly { symbol: string; cells: readonly string[] }[]
  empty: string
}

function AttentionList({ name, head, rows, empty }: AttentionListProps) {
  return (
    <section className="flex min-w-0 flex-col gap-1">
      <h3 className="font-semibold">{name}</h3>
      {rows.length === 0 ? (
        <Empty>{empty}</Empty>
      ) : (
        <TableFrame aria-label={name}>
          <Table compact aria-label={name}>
            <TableHead>
              <HeaderCell>Symbol</HeaderCell>
              {head.map((label) => (
                <HeaderCell key={label} numeric>
                  {label}
                </HeaderCell>
              ))}
            </TableHead>
            <tbody>
              {rows.map(({ symbol, cells }) => (
                <tr key={symbol}>
                  <Cell>
                    <SymbolLink symbol={symbol} />
                  </Cell>
                  {cells.map((text, index) => (
                    <Cell key={head[index]} numeric>
                      {text}
                    </Cell>
                  ))}
                </tr>
              ))}
            </tbody>
          </Table>
        </TableFrame>
      )}
    </section>
  )
}

const Empty = ({ children }: { children: ReactNode }) => (
  <p className="rounded-lg border px-4 py-3 text-ink-3">{children}</p>
)
