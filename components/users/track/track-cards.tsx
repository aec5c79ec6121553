import type { ReactNode } from 'react'
import { formatCount, formatCounted, formatShare } from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import { JudgedCard } from '#components/ui/judged-card.tsx'
import { RANKED_LEAST } from '#lib/contract/answers/limits.ts'
import type { Tally, Track } from '#lib/contract/answers/track.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import { Interval, toReach } from './interval.tsx'
import { toBenchmarkText, toPercent, toSpan } from './track-texts.ts'

type Of = Tally & Pick<Track, 'prices'> & { horizon: Horizon }

export function RightCard({ of, everybody }: { of: Of; everybody?: string | null }) {
  const span = toSpan(of.hit_low, of.hit_high, toPercent)
  return (
    <JudgedCard
      detail={
        span === null
          ? 'none counts yet'
          : `${span}, of ${formatCounted(of.clusters, 'separate call')}`
      }
      figure={toPercent(of.hit_rate)}
      title="How often right"
      why={
        <>
          <p>
            A buy is right if its symbol did better than {toBenchmarkText(of.prices.benchmark)} over
            the {of.horizon} days after it, a sell if it did worse. Holds are not judged.
          </p>
          <p>
            The bar is Wilson’s 95% interval. If it contains the middle, the calls cannot be
            distinguished from a coin’s.
          </p>
        </>
      }
    >
      {span !== null && (
        <>
          <Interval
            high={of.hit_high}
            large
            low={of.hit_low}
            mark={everybody}
            middle={0.5}
            of={of.hit_rate}
            reach={0.5}
          />
          <Key>
            <KeyPart mark={<span className="h-3 border-l border-edge" />}>
              a coin {formatShare(50)}
            </KeyPart>
            {everybody != null && (
              <KeyPart mark={<span className="h-3 border-l-2 border-dotted border-ink-2" />}>
                all users {toPercent(everybody)}
              </KeyPart>
            )}
          </Key>
        </>
      )}
    </JudgedCard>
  )
}

export function ExcessCard({ of }: { of: Of }) {
  const { excess, excess_low: low, excess_high: high } = of
  const span = toSpan(low, high, toSignedPercent)
  return (
    <JudgedCard
      detail={
        excess === null
          ? 'none counts yet'
          : `a call on average${span === null ? '; too few for an interval' : `, ${span}`}`
      }
      figure={toSignedPercent(excess)}
      title={`Against ${toBenchmarkText(of.prices.benchmark)}`}
      why={
        <>
          <p>
            What the symbol of a buy returned over {of.horizon} days, minus{' '}
            {toBenchmarkText(of.prices.benchmark)} over the same days; for a sell, the reverse. The
            mean of all separate calls.
          </p>
          <p>
            The bar is Student’s 95% interval, from 5 separate calls on. If it contains 0, the
            result cannot be distinguished from no gain. Trading costs are not included.
          </p>
        </>
      }
    >
      {excess !== null && (
        <>
          <Interval
            high={high}
            large
            low={low}
            middle={0}
            of={excess}
            reach={toReach([excess, low, high])}
          />
          <Key>
            <KeyPart mark={<span className="h-3 border-l border-edge" />}>no difference</KeyPart>
          </Key>
        </>
      )}
    </JudgedCard>
  )
}

export function RankCard({ track }: { track: Track }) {
  const { rank, ranked } = track
  return (
    <JudgedCard
      detail={rank === null ? `from ${RANKED_LEAST} separate calls on` : 'ranked users'}
      figure={rank === null ? '–' : `${formatCount(rank)} of ${formatCount(ranked)}`}
      title="Rank among users"
      why={
        <p>
          Users are ranked by the lower end of the interval of how often they were right, so that
          three right calls out of three do not lead the list. Users with fewer than {RANKED_LEAST}{' '}
          separate calls are not ranked.
        </p>
      }
    >
      {rank !== null && <Place rank={rank} ranked={ranked} />}
    </JudgedCard>
  )
}

const Place = ({ rank, ranked }: { rank: number; ranked: number }) => (
  <div
    aria-hidden
    className="relative mt-2 mb-1 h-2.5 max-w-96 rounded-xs forced-color-adjust-none bar-track"
  >
    <span
      className="absolute inset-y-0 left-0 rounded-xs bar-fill opacity-45"
      style={{ width: `${(100 * (ranked - rank)) / ranked}%` }}
    />
    <span
      className="absolute -inset-y-1 w-0.5 bg-ink forced-colors:bg-[CanvasText]"
      style={{ left: `calc(${(100 * (ranked - rank)) / ranked}% - 1px)` }}
    />
  </div>
)

export function CoverageCard({ of }: { of: Tally }) {
  const parts = [
    { name: 'counted', count: of.scored, fill: 'bar-fill' },
    { name: 'not over yet', count: of.open, fill: 'bar-fill opacity-45' },
    { name: 'holds', count: of.hold, fill: 'bg-edge' },
    { name: 'across a price jump', count: of.jump, fill: 'bar-track' },
    { name: 'without a price', count: of.no_price + of.no_entry, fill: 'bar-track' },
  ]
  return (
    <JudgedCard
      detail={`of ${formatCounted(of.calls, 'rating')} ${of.scored === 1 ? 'counts' : 'count'}`}
      figure={formatCount(of.scored)}
      title="What counts"
      why={
        <p>
          A rating counts if its symbol has a price within 7 days after it and one at the end of the
          horizon. Not over yet: that day is still to come, or the last price before it is too old.
          Holds give no direction. Without a price: the symbol has none, or none within 7 days.
          Across a price jump: between both days the price rose by more than 80% or fell by more
          than 45% in a day and stayed there, as for a split that is not adjusted.
        </p>
      }
    >
      <div aria-hidden className="my-1 flex h-2.5 max-w-96 gap-px overflow-hidden rounded-xs">
        {parts.map(({ name, count, fill }) => (
          <span
            key={name}
            className={`forced-color-adjust-none ${fill}`}
            style={{ width: `${(100 * count) / Math.max(1, of.calls)}%` }}
          />
        ))}
      </div>
      <Key>
        {parts.map(({ name, count, fill }) => (
          <KeyPart
            key={name}
            mark={<span className={`size-2 rounded-xs forced-color-adjust-none ${fill}`} />}
          >
            {formatCount(count)} {name}
          </KeyPart>
        ))}
      </Key>
    </JudgedCard>
  )
}

const Key = ({ children }: { children: ReactNode }) => (
  <ul className="flex flex-wrap gap-x-4 text-sm text-ink-3">{children}</ul>
)

const KeyPart = ({ mark, children }: { mark: ReactNode; children: ReactNode }) => (
  <li className="inline-flex items-center gap-1.5">
    <span aria-hidden className="inline-flex">
      {mark}
    </span>
    <span>{children}</span>
  </li>
)
