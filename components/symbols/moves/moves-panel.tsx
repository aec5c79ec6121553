'use client'

import { useQuery } from '@tanstack/react-query'
import { Rectangle, Surface } from 'recharts'
import { ZonedLink } from '#components/address/outlook.tsx'
import { type ShownRange, toMovesSpan } from '#components/address/series-address.ts'
import { toMovedHref, WHY } from '#components/address/symbol-address.ts'
import type { Extent } from '#components/address/time-range.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { useMay } from '#components/permissions/use-may.tsx'
import { ZonedDay } from '#components/time/instant.tsx'
import { RuleNote } from '#components/ui/help-popover.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { movesOptions } from '#lib/client/query-options.ts'
import type { Moves } from '#lib/contract/answers/moves.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { FEED_ENDINGS } from '#lib/contract/feed-query.ts'
import { moveLabel } from '#lib/contract/moves.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { MOVE_NOUNS } from './move-texts.ts'
import { type Step, toWaterfall, type Waterfall } from './waterfall.ts'

const PANEL_PX = 270

type MovesPanelProps = { symbol: string; view: ShownRange; extent: Extent }

/** Why the consensus moved in the range that the chart shows: a waterfall whose every step leads to its ratings. */
export function MovesPanel({ symbol, view, extent }: MovesPanelProps) {
  const span = toMovesSpan(view, extent)
  const mayFollow = useMay('feed')
  const to = span.to ?? extent.to
  // Before the first rating, and in what is to come, nothing can have happened.
  const isSpan = span.from < to && to >= extent.from
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...movesOptions(symbol, { ...span, asof: view.asof }),
    enabled: isSpan,
  })
  return (
    <div id={WHY} tabIndex={-1} className="min-w-0 scroll-mt-4">
      <Panel
        action={
          <RuleNote about="why the consensus moved">
            Each rating that began or ended took the mean of the active ratings from one value to
            the next: that difference is its part. The parts of a kind are added up exactly, and
            together they are the whole change. Kinds go by what happened, not by what a rating
            calls itself.
          </RuleNote>
        }
        title="Why it moved"
      >
        {data === undefined && isSpan && error === null && (
          <Skeleton className="rounded-lg" height={PANEL_PX} />
        )}
        {data === undefined && error !== null && (
          <FailureNotice error={error} onRetry={() => void refetch()} what="Why it moved" />
        )}
        {data !== undefined && (
          <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
            <MovesFigure asof={view.asof} moves={data.data} />
          </div>
        )}
        {!isSpan && <Nothing />}
        {mayFollow && (
          <p className="text-sm text-ink-3 print:hidden">
            <a className="link" href={withBase(toTurnsFeed(symbol))}>
              Follow its turns in a feed reader
            </a>
          </p>
        )}
      </Panel>
    </div>
  )
}

const toTurnsFeed = (symbol: string) =>
  `/api/symbols/${encodeURIComponent(symbol)}/turns${FEED_ENDINGS.atom}`

const Nothing = () => <p className="text-ink-3">No rating began or ended in this range.</p>

type FigureProps = { moves: Moves; asof: number | null }

function MovesFigure({ moves, asof }: FigureProps) {
  const { formatConsensus, formatCounted } = useFormats()
  const drawn = toWaterfall(moves)
  if (moves.parts.length === 0) {
    return <Nothing />
  }
  return (
    <>
      <p className="max-w-text pb-2">
        <MovesSentence drawn={drawn} moves={moves} />
      </p>
      <TableFrame aria-label={`Why the consensus of ${toVisibleText(moves.symbol)} moved`}>
        <Table>
          <TableHead>
            <HeaderCell>What happened</HeaderCell>
            <HeaderCell numeric>Ratings</HeaderCell>
            <HeaderCell numeric>Change</HeaderCell>
            <HeaderCell className="w-full max-sm:hidden">
              From the mean before to the mean after
            </HeaderCell>
          </TableHead>
          <tbody>
            {drawn ? (
              <>
                {drawn.steps.map((step) => (
                  <StepRow key={step.kind} asof={asof} moves={moves} step={step} />
                ))}
                <Row className="font-semibold">
                  <th scope="row">All of it</th>
                  <td />
                  <td className="number">
                    <ConsensusChange of={drawn.change} />
                  </td>
                  <td className="max-sm:hidden">
                    <Bar begin={drawn.begin} end={drawn.end} isWhole />
                  </td>
                </Row>
              </>
            ) : (
              moves.parts.map(({ kind, events }) => (
                <StepRow
                  key={kind}
                  asof={asof}
                  moves={moves}
                  step={{ kind, events, change: null }}
                />
              ))
            )}
          </tbody>
        </Table>
      </TableFrame>
      <p className="pt-1 text-sm text-ink-3">
        From {formatConsensus(moves.consensus_from)} over{' '}
        {formatCounted(moves.active_from, 'active rating')} to {formatConsensus(moves.consensus_to)}{' '}
        over {formatCounted(moves.active_to, 'active rating')}. Parts are rounded so that they add
        up.
      </p>
    </>
  )
}

/** What it comes to, in a sentence. */
function MovesSentence({ moves, drawn }: { moves: Moves; drawn: Waterfall | null }) {
  const { formatCounted } = useFormats()
  const days = (
    <>
      From <ZonedDay seconds={moves.from + 1} /> to <ZonedDay seconds={moves.to} />
    </>
  )
  if (drawn === null) {
    return <>{days} there is no change: nobody had rated it before. What happened is counted.</>
  }
  const [first] = drawn.steps
  return (
    <>
      {days} the consensus {Number(drawn.change) === 0 ? 'hardly moved' : 'moved by '}
      {Number(drawn.change) !== 0 && <ConsensusChange of={drawn.change} />}
      {first !== undefined && Number(first.change) !== 0 && (
        <>
          ; most of all by {formatCounted(first.events, ...MOVE_NOUNS[first.kind])} (
          <ConsensusChange of={first.change} />)
        </>
      )}
      .
    </>
  )
}

type StepRowProps = {
  step: Pick<Step, 'kind' | 'events'> &
    Partial<Pick<Step, 'begin' | 'end'>> & { change: string | null }
  moves: Moves
  asof: number | null
}

function StepRow({ step, moves, asof }: StepRowProps) {
  const { formatCount } = useFormats()
  const { kind, events, change, begin, end } = step
  const href = toMovedHref(moves.symbol, { kind, from: moves.from + 1, to: moves.to + 1, asof })
  return (
    <Row>
      <th scope="row" className="font-normal">
        {moveLabel(kind)}
      </th>
      <td className="number">
        <ZonedLink className="link inline-flex min-h-6 items-center" href={href} prefetch={false}>
          {formatCount(events)}
          <span className="sr-only"> ratings: {moveLabel(kind)}</span>
        </ZonedLink>
      </td>
      <td className="number">
        <ConsensusChange of={change} />
      </td>
      <td className="max-sm:hidden">
        {begin !== undefined && end !== undefined && (
          <ZonedLink aria-hidden className="block" href={href} prefetch={false} tabIndex={-1}>
            <Bar begin={begin} end={end} />
          </ZonedLink>
        )}
      </td>
    </Row>
  )
}

const SCALE = 1000
const BAR_PX = 22

/** A step of the waterfall: 0 to 1 across the column, never too thin to be seen. */
function Bar({ begin, end, isWhole = false }: Pick<Step, 'begin' | 'end'> & { isWhole?: boolean }) {
  const [left, right] = [Math.min(begin, end) * SCALE, Math.max(begin, end) * SCALE]
  const fill = isWhole ? 'fill-ink-3' : end < begin ? 'fill-rating-1' : 'fill-rating-5'
  return (
    <Surface
      className="block w-full"
      height={BAR_PX}
      preserveAspectRatio="none"
      role="presentation"
      viewBox={{ x: 0, y: 0, width: SCALE, height: BAR_PX }}
      width="100%"
    >
      <Rectangle
        className={fill}
        height={BAR_PX - 8}
        width={Math.max(right - left, 3)}
        x={left}
        y={4}
      />
    </Surface>
  )
}
