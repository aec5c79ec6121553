import { AsOfLink } from '#components/address/as-of.tsx'
import { toPeersHref, toUserRatingsHref } from '#components/address/user-address.ts'
import { formatCount, formatCounted, formatShare } from '#components/format/numbers.ts'
import { JudgedCard } from '#components/ui/judged-card.tsx'
import { JUDGED_LEAST, LATER_DAYS, PEERS_LEAST } from '#lib/contract/answers/limits.ts'
import type { Closeness, RecordAnswer } from '#lib/contract/answers/users.ts'
import type { Verdict } from './track/track-texts.ts'

const DAY = 86_400

type Banded = Pick<Closeness, 'band'>

/** Percent. */
const [FAR, CLOSE] = [25, 75]

/** Rounded down; null if there are too few peers. */
const toFartherPercent = ({ band }: Banded): number | null =>
  band === null || band.users < PEERS_LEAST ? null : Math.floor((100 * band.farther) / band.users)

export function toClosenessVerdict(closeness: Banded): Verdict {
  const percent = toFartherPercent(closeness)
  if (closeness.band === null || percent === null) {
    return { stand: 'Too few ratings to compare with other users', detail: null }
  }
  const than = `${formatShare(percent)} of ${formatCount(closeness.band.users)} users with a similar number of ratings`
  if (percent >= CLOSE) {
    return {
      stand: 'Closer to the later consensus than most',
      detail: `closer than ${than}`,
    }
  }
  return percent < FAR
    ? {
        stand: 'Farther from the later consensus than most',
        detail: `closer than only ${than}`,
      }
    : {
        stand: 'About as close to the later consensus as others',
        detail: `closer than ${than}`,
      }
}

type ClosenessCardProps = {
  userId: number
  asof: number | null
  answer: RecordAnswer
}

export function ClosenessCard({ userId, asof, answer }: ClosenessCardProps) {
  const { closeness } = answer.data
  const percent = toFartherPercent(closeness)
  const { band } = closeness
  const { before, old, after } = toJudgedText(closeness)
  const at = answer.meta.as_of
  const until = at - (at % DAY) - LATER_DAYS * DAY + 1
  const isShare = band !== null && percent !== null
  return (
    <JudgedCard
      detail={
        isShare ? (
          <>
            of{' '}
            <AsOfLink className="link" href={toPeersHref(userId, { asof })}>
              {formatCounted(band.users, 'user')}
            </AsOfLink>{' '}
            with {toNumbersText(band)} judged ratings{' '}
            {band.farther === 0 ? (
              'are farther'
            ) : (
              <AsOfLink className="link" href={toPeersHref(userId, { asof, farther: true })}>
                are farther
              </AsOfLink>
            )}
          </>
        ) : (
          toTooFewText(closeness)
        )
      }
      figure={isShare ? formatShare(percent) : '–'}
      title="Closeness to the later consensus"
      why={
        <>
          <p>
            A rating is judged by its distance from the mean of at least 3 others {LATER_DAYS} days
            later, the later consensus. Users are compared with those who have the most similar
            number of judged ratings.
          </p>
          <p>Close is not the same as right.</p>
        </>
      }
    >
      <p className="text-sm text-ink-3">
        {before}
        {old && (
          <AsOfLink className="link" href={toUserRatingsHref(userId, { to: until, asof })}>
            {old}
          </AsOfLink>
        )}
        {after}{' '}
        <AsOfLink className="link" href="/docs/definitions#users">
          Method<span className="sr-only"> of measuring closeness</span>
        </AsOfLink>
      </p>
    </JudgedCard>
  )
}

const toNumbersText = ({ from, to }: Pick<NonNullable<Closeness['band']>, 'from' | 'to'>) =>
  from === to ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`

export function toTooFewText({ band }: Banded): string {
  if (band === null) return `fewer than ${JUDGED_LEAST} judged ratings`
  return `only ${formatCounted(band.users, 'other user')} with ${JUDGED_LEAST} or more judged ratings`
}

export function toJudgedText({ old, n }: Pick<Closeness, 'old' | 'n'>): {
  before: string
  old: string | null
  after: string
} {
  if (old === 0) {
    return { before: `No rating is ${LATER_DAYS} days old yet.`, old: null, after: '' }
  }
  return {
    before: `${formatCount(n)} of `,
    old: `${formatCounted(old, 'rating')} at least ${LATER_DAYS} days old`,
    after: ` ${n === 1 ? 'was' : 'were'} judged.`,
  }
}
