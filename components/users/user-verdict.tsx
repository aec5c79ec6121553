'use client'

import { useQuery } from '@tanstack/react-query'
import { ZonedLink } from '#components/address/outlook.tsx'
import { toPeersHref, toUserRatingsHref } from '#components/address/user-address.ts'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { recordOptions } from '#lib/client/query-options.ts'
import { JUDGED_LEAST, LATER_DAYS, PEERS_LEAST } from '#lib/contract/answers/limits.ts'
import type { Closeness } from '#lib/contract/answers/users.ts'

const DAY = 86_400

type UserVerdictProps = {
  userId: number
  /** The instant that the address asks for; null is now. */
  asof: number | null
}

/** How a user compares with others, before the figures; each link leads to what it counts. */
export function UserVerdict({ userId, asof }: UserVerdictProps) {
  const formats = useFormats()
  const { data } = useQuery(recordOptions(userId, asof))
  // The lines keep their place while they load.
  if (data === undefined) return <p aria-busy className="min-h-13 text-lg" />
  const { closeness } = data.data
  const said = toUserVerdict(closeness, formats)
  const { before, old, after } = toJudgedText(closeness, formats)
  const at = data.meta.as_of
  const until = at - (at % DAY) - LATER_DAYS * DAY + 1
  return (
    <div className="flex flex-col gap-1">
      <p className="max-w-[110ch] text-lg text-pretty">
        {said.stand !== null && <span className="font-semibold">{said.stand}</span>}
        {said.before}
        {said.farther && (
          <ZonedLink className="link" href={toPeersHref(userId, { asof, farther: true })}>
            {said.farther}
          </ZonedLink>
        )}
        {said.of}
        {said.others && (
          <ZonedLink className="link" href={toPeersHref(userId, { asof })}>
            {said.others}
          </ZonedLink>
        )}
        {said.after}
      </p>
      <p className="max-w-[140ch] text-sm text-pretty text-ink-3">
        {before}
        {old && (
          <ZonedLink className="link" href={toUserRatingsHref(userId, { to: until, asof })}>
            {old}
          </ZonedLink>
        )}
        {after}{' '}
        <ZonedLink className="link" href="/docs/opinion#users">
          Method
        </ZonedLink>
      </p>
    </div>
  )
}

type Said = {
  /** Where the user stands among the others, in a few words; null where that is not said. */
  stand: string | null
  before: string
  /** The share of the others that are farther from it; null where there is none to lead to. */
  farther: string | null
  of: string
  others: string | null
  after: string
}

const NOBODY = { stand: null, farther: null, of: '', others: null, after: '' } as const

/** Up to the lower of these the user is among the farthest, from the upper on among the closest; in percent. */
const [FAR, CLOSE] = [25, 75]

/** The sentence in its parts. A share is rounded down, so that nobody is said to be nearer than he is. */
export function toUserVerdict(
  { band }: Pick<Closeness, 'band'>,
  { formatCount, formatCounted, formatShare }: Formats,
): Said {
  if (band === null) return { ...NOBODY, before: 'Too few ratings to compare with other users.' }
  const { from, to, users, farther } = band
  const enough = `${JUDGED_LEAST} or more judged ratings`
  if (users === 0) {
    return { ...NOBODY, before: `No other user has ${enough}: there is nobody to compare with.` }
  }
  if (users < PEERS_LEAST) {
    return {
      ...NOBODY,
      before: 'Only ',
      others: formatCounted(users, 'other user'),
      after: ` ${users === 1 ? 'has' : 'have'} ${enough}: too few to compare with.`,
    }
  }
  const percent = Math.floor((100 * farther) / users)
  const share = formatShare(percent)
  const numbers =
    from === to ? `each ${formatCount(from)}` : `${formatCount(from)} to ${formatCount(to)}`
  return {
    ...toStand(percent),
    ...(farther === 0
      ? { farther: null, of: `${share} of the ` }
      : { farther: share, of: ' of the ' }),
    others: `${formatCount(users)} users`,
    after: ` with the most similar number of judged ratings (${numbers}).`,
  }
}

function toStand(percent: number): Pick<Said, 'stand' | 'before'> {
  if (percent >= CLOSE) {
    return { stand: 'Closer to the later consensus than most', before: ': closer than ' }
  }
  if (percent < FAR) {
    return { stand: 'Farther from the later consensus than most', before: ': closer than ' }
  }
  return { stand: 'In the middle', before: ': closer to the later consensus than ' }
}

/** What was judged of the user, and what the later consensus is; `old` leads to the ratings that it counts. */
export function toJudgedText(
  { old, n }: Pick<Closeness, 'old' | 'n'>,
  { formatCount, formatCounted }: Formats,
): { before: string; old: string | null; after: string } {
  if (old === 0) {
    return { before: `No rating is ${LATER_DAYS} days old yet.`, old: null, after: '' }
  }
  const others = `the mean of at least 3 others ${LATER_DAYS} days later, the later consensus`
  return {
    before: n === 0 ? 'Of this user’s ' : `${formatCount(n)} of this user’s `,
    old: `${formatCounted(old, 'rating')} from at least ${LATER_DAYS} days ago`,
    after:
      n === 0
        ? ` none could be judged: none had 3 others beside it ${LATER_DAYS} days later.`
        : ` ${n === 1 ? 'was' : 'were'} judged, each by its distance from ${others}. To be close is not to be right.`,
  }
}
