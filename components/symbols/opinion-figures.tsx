'use client'

import { AsOfLink } from '#components/address/as-of.tsx'
import { toUserHref } from '#components/address/page-address.ts'
import { toSymbolRatingsHref } from '#components/address/symbol-address.ts'
import { formatDay, formatRelative } from '#components/format/instants.ts'
import {
  formatConsensus,
  formatCount,
  formatCounted,
  formatMeanPrediction,
  formatShare,
} from '#components/format/numbers.ts'
import { toSignedText } from '#components/marks/consensus-change.tsx'
import { Distribution, toActionBars, toRatingBars } from '#components/marks/distribution.tsx'
import { Instant } from '#components/time/instant.tsx'
import { RuleNote } from '#components/ui/help-popover.tsx'
import { type Stat, StatStrip } from '#components/ui/panels.tsx'
import type { Counted } from '#lib/contract/answers/envelope.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { Opinion, ProvenConsensus } from '#lib/contract/answers/opinion.ts'
import { ACTION_LABELS, RATING_LABELS } from '#lib/contract/rating-fields.ts'
import { toGivenText } from './series/series-texts.ts'
import { LatestChanges } from './symbol-ratings.tsx'

type SymbolStatsProps = {
  opinion: Opinion
  proven: ProvenConsensus | null
  /** Seconds since 1970. */
  now: number
  isRewound: boolean
  /** `opinion` is a forecast: what remains if nothing is renewed. */
  isToCome: boolean
}

export function SymbolStats({ opinion, proven, now, ...instant }: SymbolStatsProps) {
  const { isRewound, isToCome } = instant
  const stats = [
    toConsensusStat(opinion, { proven, isToCome }),
    toChangesStat(opinion),
    toPredictionStat(opinion),
    toDispersionStat(opinion),
    toAgreementStat(opinion, isRewound),
    {
      term: 'Last rated',
      figure: formatRelative(opinion.last_created_at, now),
      detail: <LastRated opinion={opinion} />,
    },
  ]
  return <StatStrip stats={stats} />
}

function LastRated({ opinion: { last_created_at, last_user_id } }: { opinion: Opinion }) {
  return (
    <>
      <Instant seconds={last_created_at} /> by{' '}
      <AsOfLink className="link" href={toUserHref(last_user_id)}>
        <span className="sr-only">user </span>#{last_user_id}
      </AsOfLink>
    </>
  )
}

type NotedProps = { about: string; figure: string; note: string }

const Noted = ({ about, figure, note }: NotedProps) => (
  <span className="inline-flex items-center">
    {figure}
    <RuleNote about={about}>{note}</RuleNote>
  </span>
)

type ConsensusStat = { proven: ProvenConsensus | null; isToCome: boolean }

function toConsensusStat(
  { active, consensus }: Opinion,
  { proven, isToCome }: ConsensusStat,
): Stat {
  const count = formatCount(active)
  const ofSome = isToCome ? `of ${count} left if nothing is renewed` : `of ${count} active`
  const ofActive = active === 0 ? 'none is active' : ofSome
  return {
    term: 'Consensus, 1–5',
    figure: (
      <Noted
        about="consensus"
        figure={formatConsensus(consensus)}
        note="The mean of the active ratings, from 1 (Strong Sell) to 5 (Strong Buy). A rating is active from when it is posted until it expires or the same user rates the symbol again."
      />
    ),
    detail:
      proven === null ? (
        ofActive
      ) : (
        <>
          <span className="max-sm:hidden">{ofActive}. </span>
          <Proven {...proven} />
        </>
      ),
  }
}

function Proven({ users, consensus }: ProvenConsensus) {
  return (
    <span className="inline-flex items-center print:hidden">
      <span>
        <span className="max-sm:hidden">Users with a </span>
        <span className="inline-block first-letter:uppercase sm:first-letter:lowercase">
          proven record
        </span>{' '}
        ({formatCount(users)}): {formatConsensus(consensus)}
      </span>
      <RuleNote about="users with a proven record">
        The same mean over the active ratings of users whose past calls were right more often than a
        coin: the whole 95% interval of their share is above one half. By chance alone, a few users
        get there.{' '}
        <AsOfLink className="link" href="/users">
          All records
        </AsOfLink>
      </RuleNote>
    </span>
  )
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

function toDispersionStat({ active, dispersion }: Opinion): Stat {
  return {
    term: 'Dispersion',
    figure: (
      <Noted
        about="dispersion"
        figure={formatConsensus(dispersion)}
        note="How much opinions differ: the population standard deviation of the active ratings, in steps of the scale. 0.00 means all agree, 2.00 means half say Strong Buy and half Strong Sell."
      />
    ),
    detail: `standard deviation, n=${formatCount(active)}`,
  }
}

function toAgreementStat(opinion: Opinion, isRewound: boolean): Stat {
  const share = toAgreedShare(opinion)
  const low = opinion.agreement_low
  const votes = formatCounted(opinion.agree + opinion.disagree, 'vote')
  if (share === null || low === null) {
    return {
      term: 'Agreement',
      figure: '–',
      detail: opinion.active === 0 ? 'none is active' : 'no votes',
    }
  }
  return {
    term: isRewound ? 'Agreement, as last seen' : 'Agreement',
    figure: (
      <Noted
        about="agreement"
        figure={formatShare(share)}
        note="Votes that agree with the active ratings, as a share of all votes on them. “At least” is the lower end of the 95% interval of E. B. Wilson (“Probable Inference”, 1927): the fewer votes, the lower. Votes are known only as last seen and cannot be rewound."
      />
    ),
    detail: `of ${votes} on these ratings, at least ${formatShare(Math.floor(100 * Number(low)))}`,
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

/** Whole percent; null without votes. */
export function toAgreedShare({ agree, disagree }: Pick<Opinion, 'agree' | 'disagree'>) {
  const votes = agree + disagree
  return votes === 0 ? null : Math.round((100 * agree) / votes)
}

type OpinionPanelProps = {
  opinion: Opinion
  at: number
  /** Null is now. */
  asof: number | null
  isToCome: boolean
}

export function OpinionPanel({ opinion, at, asof, isToCome }: OpinionPanelProps) {
  const { symbol, active, by_rating, by_action } = opinion
  const href = (only: { rating?: number; action?: number }) =>
    toSymbolRatingsHref(symbol, { ...only, state: 'active', asof })
  const when = asof === null ? 'Now' : formatDay(asof)
  const isAny = active > 0
  const longest = Math.max(...[...by_rating, ...by_action].map(({ count }) => count))
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-5 sm:grid-cols-2 xl:grid-cols-1">
      <Distribution
        bars={toRatingBars(withEvery(RATING_LABELS, by_rating), (rating) => href({ rating }))}
        longest={longest}
        title={`${when}, ${formatCount(active)} ${isToCome ? 'still active' : 'active'}`}
      />
      {isAny && <CliffTable at={at} asof={asof} opinion={opinion} />}
      <LatestChanges asof={asof} symbol={symbol} />
      {isAny && (
        <details>
          <summary className="min-h-6 cursor-pointer max-sm:py-2 text-ink-3">
            More about these ratings: origin
          </summary>
          <Distribution
            bars={toActionBars(withEvery(ACTION_LABELS, by_action), (action) => href({ action }))}
            longest={longest}
            title={`How these ${formatCount(active)} came about`}
          />
        </details>
      )}
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
