'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { LazyDrawing, lazyDrawing } from '#components/charts/lazy-drawing.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatDate } from '#components/format/instants.ts'
import { formatConsensus, formatCount } from '#components/format/numbers.ts'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { AsOfLink } from '#components/time/as-of.tsx'
import type { Extent } from '#components/time/time-range.ts'
import { Segmented } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { movesOptions } from '#lib/client/symbol-options.ts'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import type { Moves } from '#lib/contract/answers/symbols.ts'
import { type MoveKind, moveLabel } from '#lib/contract/moves.ts'
import { toMovedHref, WHY } from '#lib/contract/page-addresses.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { ChangeView } from '../series/series-controls.tsx'
import { type SeriesView, toMovesSpan } from '../series-view.ts'
import { type Step, toWaterfall, type Waterfall } from './waterfall.ts'

const PANEL_PX = 270

type MovesPanelProps = {
  symbol: string
  view: SeriesView
  change: ChangeView
  extent: Extent
  /** Null if it could not be loaded; `at` is in seconds since 1970. */
  opinion: Opinion | null
  at: number
}

export function MovesPanel({ symbol, view, change, extent, opinion, at }: MovesPanelProps) {
  const span = toMovesSpan(view, { extent, at })
  const to = span.to ?? at
  const headline = view.why === '90' ? opinion?.moves : undefined
  const isSpan = span.from < to && to >= extent.from
  const asked = useQuery({
    ...movesOptions(symbol, { ...span, asof: view.asof }),
    enabled: isSpan && !headline,
  })
  const moves = headline ?? asked.data?.data
  const isOld = !headline && asked.isPlaceholderData
  return (
    <div id={WHY} tabIndex={-1} className="min-w-0 scroll-mt-4">
      <Panel
        action={
          <Segmented
            label="Why it moved in"
            onChange={(why) => change({ why })}
            options={SPANS}
            value={view.why}
          />
        }
        title="Why it moved"
      >
        {moves === undefined && isSpan && asked.error === null && (
          <Skeleton className="rounded-lg" height={PANEL_PX} />
        )}
        {moves === undefined && asked.error !== null && (
          <FailureNotice
            error={asked.error}
            onRetry={() => void asked.refetch()}
            what="Why it moved"
          />
        )}
        {moves !== undefined && isSpan && (
          <div aria-busy={isOld} className={isOld ? 'opacity-60' : ''}>
            <MovesFigure asof={view.asof} moves={moves} />
          </div>
        )}
        {!isSpan && <Nothing />}
        <details className="text-sm text-ink-3 print:hidden">
          <summary className="min-h-6 cursor-pointer max-sm:py-2">
            Method<span className="sr-only"> of finding why it moved</span>
          </summary>
          <p className="max-w-text">
            Each rating that became active or ended moved the mean of the active ratings: that
            difference is its part. The parts of a kind are summed exactly, and together they are
            the whole change. Kinds describe what happened, not the rating’s own action. Parts are
            rounded so that they add up.
          </p>
        </details>
      </Panel>
    </div>
  )
}

const SPANS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: 'range', label: 'Chart’s range' },
] as const

const Nothing = () => <p className="text-ink-3">No rating began or ended in this range.</p>

type FigureProps = { moves: Moves; asof: number | null }

function MovesFigure({ moves, asof }: FigureProps) {
  const drawn = useMemo(() => toWaterfall(moves), [moves])
  if (moves.parts.length === 0) return <Nothing />
  return (
    <>
      <TableFrame aria-label={`Why the consensus of ${toVisibleText(moves.symbol)} moved`}>
        <Table>
          <TableHead>
            <HeaderCell>Events</HeaderCell>
            <HeaderCell numeric>Ratings</HeaderCell>
            <HeaderCell className="waterfall-cell">
              <span className="sr-only">Change of the consensus</span>
              <div aria-hidden className="waterfall-plot">
                {drawn?.ticks.map(({ mean, at }) => (
                  <span key={mean} className="waterfall-tick" style={toLeft(at)}>
                    {formatConsensus(String(mean))}
                  </span>
                ))}
              </div>
            </HeaderCell>
          </TableHead>
          <tbody>
            {(drawn?.steps ?? moves.parts).map((step) => (
              <StepRow
                key={step.kind}
                asof={asof}
                drawn={drawn}
                moves={moves}
                step={drawn?.steps.find(({ kind }) => kind === step.kind) ?? null}
                {...step}
              />
            ))}
            {drawn && (
              <tr className="font-semibold">
                <th scope="row">All of it</th>
                <td />
                <ChangeCell drawn={drawn} isWhole step={drawn} />
              </tr>
            )}
          </tbody>
        </Table>
      </TableFrame>
      <SpanText moves={moves} />
    </>
  )
}

function SpanText({ moves }: { moves: Moves }) {
  const { consensus_from: before, consensus_to: after } = moves
  const [from, to] = [formatDate(moves.from + 1), formatDate(moves.to)]
  return (
    <p className="pt-1 text-sm text-ink-3">
      {before === null || after === null
        ? `From ${from} to ${to}. There were no earlier ratings, so there is no change to explain.`
        : `From ${formatConsensus(before)} on ${from} (n=${formatCount(moves.active_from)}) to ${formatConsensus(after)} on ${to} (n=${formatCount(moves.active_to)}).`}
    </p>
  )
}

type StepRowProps = {
  kind: MoveKind
  events: number
  step: Step | null
  drawn: Waterfall | null
  moves: Moves
  asof: number | null
}

function StepRow({ kind, events, step, drawn, moves, asof }: StepRowProps) {
  const href = toMovedHref(moves.symbol, { kind, from: moves.from + 1, to: moves.to + 1, asof })
  return (
    <tr>
      <th scope="row" className="font-normal">
        {moveLabel(kind)}
      </th>
      <td className="number">
        <AsOfLink className="link inline-flex min-h-6 items-center" href={href}>
          {formatCount(events)}
          <span className="sr-only"> ratings: {moveLabel(kind)}</span>
        </AsOfLink>
      </td>
      <ChangeCell drawn={drawn} step={step} />
    </tr>
  )
}

type ChangeCellProps = {
  step: Pick<Step, 'change' | 'begin' | 'end'> | null
  drawn: Waterfall | null
  isWhole?: boolean
}

const toLeft = (at: number) => ({ left: `${(100 * at).toFixed(2)}%` })

const moveBar = lazyDrawing(async () => (await import('./move-bar.tsx')).MoveBar)

function ChangeCell({ step, drawn, isWhole = false }: ChangeCellProps) {
  if (!step || !drawn) return <td className="number waterfall-cell">–</td>
  const left = Math.min(step.begin, step.end)
  const right = Math.max(step.begin, step.end)
  const isNothing = Number(step.change) === 0
  const fill = isWhole ? 'fill-ink-3' : step.end < step.begin ? 'fill-rating-1' : 'fill-rating-5'
  return (
    <td className="number waterfall-cell">
      <div className="waterfall-plot">
        <LazyDrawing
          drawing={moveBar}
          drawn={{ left, right, ticks: drawn.ticks, fill: isNothing ? null : fill }}
          host={{ className: 'waterfall-bar' }}
          of={step}
        />
        <span className="waterfall-value" style={toLeft(right)}>
          <ConsensusChange of={step.change} />
        </span>
      </div>
    </td>
  )
}
