'use client'

import { formatDay } from '#components/format/instants.ts'
import {
  formatConsensus,
  formatCount,
  formatCounted,
  formatMeanPrediction,
} from '#components/format/numbers.ts'
import { toSignedText } from '#components/marks/consensus-change.tsx'
import { Distribution, toRatingBars } from '#components/marks/distribution.tsx'
import { AsOfLink } from '#components/time/as-of.tsx'
import { type Stat, StatStrip } from '#components/ui/panels.tsx'
import { HelpPopover } from '#components/ui/popover.tsx'
import type { Counted } from '#lib/contract/answers/envelope.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import { toSymbolRatingsHref } from '#lib/contract/page-addresses.ts'
import { RATING_LABELS } from '#lib/contract/rating-fields.ts'
import { toGivenText } from './series/series-texts.ts'
import { LatestChanges } from './symbol-ratings.tsx'

type SymbolStatsProps = {
  opinion: Opinion
  /** `opinion` is a forecast: what remains if nothing is renewed. */
  isToCome: boolean
}

export const SymbolStats = ({ opinion, isToCome }: SymbolStatsProps) => (
  <StatStrip
    stats={[toConsensusStat(opinion, isToCome), toChangesStat(opinion), toPredictionStat(opinion)]}
  />
)

type NotedProps = { about: string; figure: string; note: string }

const Noted = ({ about, figure, note }: NotedProps) => (
  <span className="inline-flex items-center">
    {figure}
    <HelpPopover label={`About ${about}`}>{note}</HelpPopover>
  </span>
)

function toConsensusStat({ active, consensus }: Opinion, isToCome: boolean): Stat {
  const count = formatCount(active)
  const ofSome = isToCome ? `of ${count} left if nothing is renewed` : `of ${count} active`
  return {
    term: 'Consensus, 1–5',
    figure: (
      <Noted
        about="consensus"
        figure={formatConsensus(consensus)}
        note="The mean of the active ratings, from 1 (Strong Sell) to 5 (Strong Buy). A rating is active from when it is posted until it expires or the same user rates the symbol again."
      />
    ),
    detail: active === 0 ? 'none is active' : ofSome,
  }
}

function toPredictionStat({ prediction, active }: Opinion): Stat {
  const { median, q1, q3, low, high, mean } = prediction
  if (median === null) return { term: 'Prediction, median', figure: '–', detail: 'none is active' }
  if (low === high && active > 1) {
    const all = formatCounted(active, 'prediction')
    return { term: 'Prediction', figure: toGivenText(median), detail: `all ${all} are the same` }
  }
  return {
    term: 'Prediction, median',
    figure: (
      <Noted
        about="prediction"
        figure={toGivenText(median)}
        note={`How far users expect the price to move, in percent; the service gives no time frame. Over the ${formatCounted(active, 'active rating')}. Median and quartiles by nearest rank, so each is an actual prediction. Lowest ${toGivenText(low)}, highest ${toGivenText(high)}, mean ${formatMeanPrediction(mean)}.`}
      />
    ),
    detail: `middle half ${toGivenText(q1)} to ${toGivenText(q3)}`,
  }
}

function toChangesStat({ changes, active }: Opinion): Stat {
  const texts = changes.map((change) => toChangeText(change, active))
  const missing = texts.find(({ figure }) => figure === '–')
  return {
    term: `${changes.map(({ days }) => days).join(', ')} days`,
    figure: (
      <span className="flex gap-x-2 max-sm:text-lg sm:gap-x-4">
        {changes.map(({ days }, index) => (
          <span key={days}>{texts[index]?.figure}</span>
        ))}
      </span>
    ),
    detail:
      missing?.detail ??
      `was ${changes.map(({ consensus }) => formatConsensus(consensus)).join(', ')}`,
  }
}

type Change = Opinion['changes'][number]

/** `+0.12`, `was 4.09, n=170` */
type ChangeText = { figure: string; detail: string }

export function toChangeText(
  { active: then, change, consensus }: Change,
  active: number,
): ChangeText {
  if (active === 0) return { figure: '–', detail: 'none is active' }
  if (active < CONSENSUS_MIN)
    return { figure: '–', detail: `too few now, n=${formatCount(active)}` }
  if (then === 0) return { figure: '–', detail: 'none was active then' }
  if (then < CONSENSUS_MIN || change === null) {
    return { figure: '–', detail: `too few then, n=${formatCount(then)}` }
  }
  const before = `was ${formatConsensus(consensus)}, n=${formatCount(then)}`
  return { figure: toSignedText(change), detail: before }
}

type OpinionPanelProps = {
  opinion: Opinion
  at: number
  /** Null is now. */
  asof: number | null
  isToCome: boolean
}

export function OpinionPanel({ opinion, at, asof, isToCome }: OpinionPanelProps) {
  const { symbol, active, by_rating } = opinion
  const toHref = (rating: number) => toSymbolRatingsHref(symbol, { rating, state: 'active', asof })
  const when = asof === null ? 'Now' : formatDay(asof)
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-5 sm:grid-cols-2 xl:grid-cols-1">
      <Distribution
        bars={toRatingBars(withEvery(RATING_LABELS, by_rating), toHref)}
        title={`${when}, ${formatCount(active)} ${isToCome ? 'still active' : 'active'}`}
      />
      {active > 0 && <CliffTable at={at} asof={asof} opinion={opinion} />}
      <LatestChanges asof={asof} symbol={symbol} />
    </div>
  )
}

function withEvery(labels: Readonly<Record<number, string>>, counts: readonly Counted[]) {
  const given = new Set(counts.map(({ value }) => value))
  const missing = Object.entries(labels)
    .map(([code, label]) => ({ value: Number(code), label, count: 0 }))
    .filter(({ value }) => !given.has(value))
  return [...counts, ...missing].sort((a, b) => a.value - b.value)
}

const DAY = 86_400

type CliffTableProps = { opinion: Opinion; at: number; asof: number | null }

function CliffTable({ opinion: { symbol, cliff }, at, asof }: CliffTableProps) {
  const title = 'If nothing is renewed'
  return (
    <section>
      <h3 className="pb-1.5 text-sm">{title}</h3>
      <table aria-label={title} className="w-full border-separate border-spacing-0 text-base">
        <thead className="sr-only">
          <tr>
            <th scope="col">When</th>
            <th scope="col">Expire</th>
            <th scope="col">Consensus left</th>
          </tr>
        </thead>
        <tbody>
          {cliff.map(({ days, lapsing: expiring, active, consensus }) => (
            <tr key={days} className="h-[31px] [&>*]:border-b last:[&>*]:border-b-0">
              <th className="text-left font-normal" scope="row">
                in {days} days
              </th>
              <td className="text-right">
                {expiring === 0 ? (
                  'none'
                ) : (
                  <AsOfLink
                    className="link"
                    href={toExpiringHref(symbol, { at, asof, days })}
                    title={`Ratings that expire by ${formatDay(at + days * DAY)}`}
                  >
                    {formatCount(expiring)} {expiring === 1 ? 'expires' : 'expire'}
                  </AsOfLink>
                )}
              </td>
              <td className="pl-3 text-right whitespace-nowrap">
                <span className="font-semibold">{formatConsensus(consensus)}</span>{' '}
                <span className="text-sm text-ink-3">n={formatCount(active)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Whole UTC days, so the last day may hold more. */
export function toExpiringHref(
  symbol: string,
  { at, asof, days }: { at: number; asof: number | null; days: number },
): string {
  const names = Array.from({ length: days + 1 }, (_, index) => formatDay(at + index * DAY))
  return toSymbolRatingsHref(symbol, { days: names, state: 'active', asof })
}
