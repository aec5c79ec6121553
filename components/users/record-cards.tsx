import type { ReactNode } from 'react'
import { useAsOf } from '#components/address/as-of.tsx'
import {
  formatConsensus,
  formatCount,
  formatCounted,
  formatShare,
  toAgreementText,
  toShareText,
  toTenThousandths,
  toWholePercent,
} from '#components/format/numbers.ts'
import { toSignedText } from '#components/marks/consensus-change.tsx'
import { JudgedCard } from '#components/ui/judged-card.tsx'
import type { User, UserRecord } from '#lib/contract/answers/users.ts'
import { toWilson } from '#lib/statistics/wilson.ts'
import { toCoinRange, WilsonText } from './confidence.tsx'

type Distance = UserRecord['distance']

const BARS_PX = 44

export function BiasCard({ user: { bias, bias_n: n } }: { user: User }) {
  return (
    <JudgedCard
      detail={
        bias === null
          ? 'no active rating has 3 others beside it'
          : `steps from others, of ${formatCount(n)} active`
      }
      figure={bias === null ? '–' : toSignedText(bias)}
      title="Bias"
      why={
        <p>
          Each active rating minus the mean of the others’ active ratings of the symbol, in steps of
          the scale; + is more bullish.
        </p>
      }
    />
  )
}

export function DistanceCard({ record }: { record: UserRecord }) {
  const { n, mean, size, gaps } = record.distance
  return (
    <JudgedCard
      detail={
        mean === null
          ? 'no rating had 3 others beside it'
          : `steps on average, ${formatConsensus(size)} either way, of ${formatCounted(n, 'rating')}`
      }
      figure={mean === null ? '–' : toSignedText(mean)}
      title="Distance from consensus when posting"
      why={
        <>
          <p>
            Each rating minus the mean of the others’ ratings of the symbol when it was posted, in
            steps of the scale; + is more bullish. Others are ratings that were already active; with
            fewer than 3, a rating is not judged.
          </p>
          <p>
            {formatCounted(n, 'rating')} of the latest {formatCount(record.judged)} could be judged.
            The second figure is the mean of the absolute values: a user who differs in both
            directions has a small first and a large second figure. Differing is not a fault:
            without prices it is unknown who was right.
          </p>
          <p>Bias is the same for the ratings that are active now.</p>
        </>
      }
    >
      {n > 0 && n < FEWEST && <TooFew>The chart appears from {FEWEST} ratings on.</TooFew>}
      {n >= FEWEST && <Gaps gaps={gaps} n={n} />}
    </JudgedCard>
  )
}

/** −4 to +4, unless codes are off the scale. */
function Gaps({ gaps, n }: Pick<Distance, 'gaps' | 'n'>) {
  const reach = Math.max(2, ...gaps.map(({ gap }) => Math.min(4, Math.abs(gap))))
  const steps = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach)
  const countOf = (step: number) =>
    gaps
      .filter(({ gap }) => Math.max(-reach, Math.min(reach, gap)) === step)
      .reduce((sum, { count }) => sum + count, 0)
  const most = Math.max(...steps.map(countOf))
  return (
    <ol
      aria-label={`Distances in whole steps, of ${formatCounted(n, 'rating')}`}
      className="flex max-w-80 gap-1 pt-1"
    >
      {steps.map((step) => {
        const count = countOf(step)
        return (
          <li key={step} className="flex min-w-0 grow basis-0 flex-col items-center text-xs">
            <span className="min-h-4 text-ink-2">{count > 0 && formatCount(count)}</span>
            <span className="flex w-full items-end" style={{ height: BARS_PX }}>
              <span
                aria-hidden
                className={
                  step === 0 ? 'w-full rounded-t-xs rating-fill-3' : 'w-full rounded-t-xs bar-fill'
                }
                style={{ height: count === 0 ? 0 : Math.max(2, (BARS_PX * count) / most) }}
              />
            </span>
            <span className="w-full border-t border-line-2 text-center text-ink-3">
              {toStepText(step)}
              <span className="sr-only">: {formatCount(count)}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const toStepText = (step: number) => (step === 0 ? '0' : step > 0 ? `+${step}` : `−${-step}`)

type Lead = UserRecord['lead']

export function LeadCard({ lead }: { lead: Lead }) {
  const { n, towards } = lead
  const isFew = n < FEWEST
  return (
    <JudgedCard
      detail={isFew ? toFewText(lead) : toLeadText(lead)}
      figure={isFew ? '–' : formatShare(toWholePercent(towards, n))}
      title="Lead: others moved this user’s way within 30 days"
      why={
        <>
          <p>
            Judged are ratings that differed from the mean of the others, are at least 30 days old,
            and whose symbol has at least 3 other active ratings 30 days later. Toward: the mean of
            the others had moved to the rating’s side by then; away: to the other side; still: not
            at all.
          </p>
          <p>
            The mark on the bar is what guessing would give: by chance, half of the consensus moves
            would go the user’s way, (toward + away) / 2n. {!isFew && toRangeText(lead)}
          </p>
          <p>
            It does not say who was right. Crowds drift back to the middle, so a user who is already
            there seems to lead.
          </p>
        </>
      }
    >
      {isFew ? (
        n > 0 && <TooFew>A share is shown from {FEWEST} ratings on.</TooFew>
      ) : (
        <Bar lead={lead} />
      )}
    </JudgedCard>
  )
}

const toFewText = ({ n, towards }: Lead) =>
  n === 0
    ? 'no rating can be judged yet'
    : `${formatCount(towards)} of ${formatCounted(n, 'rating')} towards`

const toLeadText = ({ n, chance }: Lead) =>
  `of ${formatCounted(n, 'rating')}; guessing would give ${toShareText(chance ?? '0')}`

function toRangeText(lead: Lead): string {
  const { low, high } = toCoinRange(lead)
  return `Of 20 users who only guess, 19 score between ${formatShare(low)} and ${formatShare(high)}.`
}

function Bar({ lead }: { lead: Lead }) {
  const { n, towards, still, away, chance } = lead
  const share = (part: number) => `${(100 * part) / n}%`
  return (
    <div className="flex max-w-96 flex-col gap-1 pt-1">
      <div aria-hidden className="relative py-1.5">
        <div className="flex h-2.5 gap-px overflow-hidden rounded-xs bg-surface">
          <span className="bar-fill" style={{ width: share(towards) }} />
          <span className="forced-color-adjust-none bar-track" style={{ width: share(still) }} />
          <span className="forced-color-adjust-none bg-edge" style={{ width: share(away) }} />
        </div>
        <span
          className="absolute inset-y-0 w-0.5 forced-color-adjust-none bg-ink outline-1 outline-surface forced-colors:bg-[CanvasText]"
          style={{ left: `calc(${toTenThousandths(chance ?? '0') / 100}% - 1px)` }}
        />
      </div>
      <ul className="flex flex-wrap gap-x-4 text-sm text-ink-3">
        <Part count={formatCount(towards)} fill="bar-fill" name="towards" />
        <Part count={formatCount(still)} fill="bar-track" name="still" />
        <Part count={formatCount(away)} fill="bg-edge" name="away" />
        <li className="inline-flex items-center gap-1.5">
          <span
            aria-hidden
            className="h-3 w-0.5 forced-color-adjust-none bg-ink forced-colors:bg-[CanvasText]"
          />{' '}
          chance
        </li>
      </ul>
    </div>
  )
}

const Part = ({ count, name, fill }: { count: string; name: string; fill: string }) => (
  <li className="inline-flex items-center gap-1.5">
    <span aria-hidden className={`size-2 rounded-xs forced-color-adjust-none ${fill}`} /> {count}{' '}
    {name}
  </li>
)

export function AgreementCard({ user }: { user: User }) {
  const { agree, disagree, agreement_low: low } = user
  const asof = useAsOf()
  const votes = agree + disagree
  const seen = asof === null ? '' : ', as last seen'
  const share = toAgreementText(agree, disagree)
  const high = 100 * (toWilson(agree, votes, 1.96)?.high ?? 0)
  return (
    <JudgedCard
      detail={
        share === null ? 'no votes on these ratings' : `of ${formatCounted(votes, 'vote')}${seen}`
      }
      figure={share ?? '–'}
      title="Agreement received"
      why={
        <>
          <p>
            The share of all votes on the user’s ratings that agreed. The bar is Wilson’s 95%
            interval: the fewer votes, the wider.
          </p>
          <WilsonText />
          <p>
            Votes cannot be rewound: they are as last seen. They show what readers liked, not what
            came true.
          </p>
        </>
      }
    >
      {low !== null && (
        <>
          <div aria-hidden className="relative mt-2 h-2.5 max-w-96 rounded-xs bar-track">
            <span
              className="absolute inset-y-0 rounded-xs bar-fill opacity-45"
              style={{
                left: `${toTenThousandths(low) / 100}%`,
                width: `${Math.max(0.5, high - toTenThousandths(low) / 100)}%`,
              }}
            />
            <span
              className="absolute -inset-y-1 w-0.5 forced-color-adjust-none bg-ink forced-colors:bg-[CanvasText]"
              style={{ left: `calc(${(100 * agree) / votes}% - 1px)` }}
            />
          </div>
          <p className="text-sm text-ink-3">
            Between {formatShare(Math.round(toTenThousandths(low) / 100))} and{' '}
            {formatShare(Math.round(high))}; {formatCount(agree)} agreed, {formatCount(disagree)}{' '}
            disagreed
          </p>
        </>
      )}
    </JudgedCard>
  )
}

const WAYS = [
  { key: 'renewed', name: 'renewed in time' },
  { key: 'returned', name: 'returned to later' },
  { key: 'lapsed', name: 'left to expire' },
  { key: 'never', name: 'expired before posted' },
] as const

const FILLS = ['bar-fill', 'bar-fill opacity-50', 'bg-edge', 'bar-track']

export function PersistenceCard({ persistence }: { persistence: UserRecord['persistence'] }) {
  const { ended, renewed } = persistence
  const parts = WAYS.map((way, index) => ({
    ...way,
    count: persistence[way.key],
    fill: FILLS[index] ?? 'bar-track',
  })).filter(({ key, count }) => key !== 'never' || count > 0)
  return (
    <JudgedCard
      detail={
        ended === 0
          ? 'none has ended so far'
          : `renewed, of ${formatCounted(ended, 'rating')} that ended`
      }
      figure={ended === 0 ? '–' : formatShare(toWholePercent(renewed, ended))}
      title="Persistence"
      why={
        <>
          <p>
            How every ended rating ended. Renewed in time: the user rated the symbol again before it
            expired. Returned to later: after it had expired. Left to expire: not again so far.
          </p>
          <p>
            Ratings without an expiry end only when they are renewed. The user may still return to a
            symbol whose rating expired recently.
          </p>
        </>
      }
    >
      {ended > 0 && (
        <div className="flex max-w-96 flex-col gap-1 pt-1">
          <div aria-hidden className="flex h-2.5 gap-px overflow-hidden rounded-xs">
            {parts.map(({ key, count, fill }) => (
              <span
                key={key}
                className={`forced-color-adjust-none ${fill}`}
                style={{ width: `${(100 * count) / ended}%` }}
              />
            ))}
          </div>
          <ul className="flex flex-wrap gap-x-4 text-sm text-ink-3">
            {parts.map(({ key, name, count, fill }) => (
              <li key={key} className="inline-flex items-center gap-1.5">
                <span
                  aria-hidden
                  className={`size-2 rounded-xs forced-color-adjust-none ${fill}`}
                />
                {formatCount(count)} {name}
              </li>
            ))}
          </ul>
        </div>
      )}
    </JudgedCard>
  )
}

const FEWEST = 5

const TooFew = ({ children }: { children?: ReactNode }) => (
  <p className="text-sm text-ink-3">Too few to say. {children}</p>
)
