'use client'

import { useQuery } from '@tanstack/react-query'
import { ZonedLink } from '#components/address/outlook.tsx'
import { toPeersHref, toUserRatingsHref } from '#components/address/user-address.ts'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { recordOptions } from '#lib/client/query-options.ts'
import { LATER_DAYS } from '#lib/contract/answers/limits.ts'
import type { Closeness } from '#lib/contract/answers/users.ts'

/** Of fewer others a share says little. */
const OTHERS_LEAST = 20

const DAY = 86_400

type UserVerdictProps = {
  userId: number
  /** How many ratings the user has posted. */
  ratings: number
  /** The instant that the address asks for; null is now. */
  asof: number | null
}

/** How a user compares with others of as many ratings, before the figures; each part leads to what it is made of. */
export function UserVerdict({ userId, ratings, asof }: UserVerdictProps) {
  const formats = useFormats()
  const { data } = useQuery(recordOptions(userId, asof))
  // The line keeps its place while it loads.
  if (data === undefined) return <p aria-busy className="min-h-7 text-lg" />
  const said = toUserVerdict(data.data.closeness, ratings, formats)
  const at = data.meta.as_of
  const until = at - (at % DAY) - LATER_DAYS * DAY + 1
  return (
    <p className="max-w-[110ch] text-lg text-pretty">
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
      {said.between}
      {until > 0 ? (
        <ZonedLink className="link" href={toUserRatingsHref(userId, { to: until, asof })}>
          {said.judged}
        </ZonedLink>
      ) : (
        said.judged
      )}
      {said.after}.{' '}
      <ZonedLink className="link text-base text-ink-3" href="/docs/opinion#users">
        Method
      </ZonedLink>
    </p>
  )
}

type Said = {
  before: string
  /** The share of the others that are farther from it; null where there is none to lead to. */
  farther: string | null
  of: string
  others: string | null
  between: string
  judged: string
  after: string
}

const NOBODY = { farther: null, of: '', others: null, between: '' } as const

/** The sentence in its parts. A share is rounded down, so that nobody is said to be nearer than he is. */
export function toUserVerdict(
  { n, band }: Closeness,
  ratings: number,
  { formatCount, formatCounted, formatShare }: Formats,
): Said {
  if (band === null) {
    return {
      before: 'Too few ratings to compare with the later consensus: ',
      ...NOBODY,
      judged: `${formatCount(n)} of ${formatCounted(ratings, 'rating')} can be judged`,
      after: '',
    }
  }
  const { from, to, users, farther } = band
  const judged = `this user has ${formatCount(n)}`
  const many = `as many ratings that can be judged (${formatCount(from)} to ${formatCount(to)}; `
  if (users === 0) {
    const after = '), so there is nobody to compare with'
    return { ...NOBODY, before: `No other user has ${many}`, judged, after }
  }
  if (users < OTHERS_LEAST) {
    return {
      ...NOBODY,
      before: 'Only ',
      others: formatCounted(users, 'other user'),
      between: ` ${users === 1 ? 'has' : 'have'} ${many}`,
      judged,
      after: '): too few to compare with',
    }
  }
  const share = formatShare(Math.floor((100 * farther) / users))
  return {
    before: 'Closer to the later consensus than ',
    ...(farther === 0 ? { farther: null, of: `${share} of ` } : { farther: share, of: ' of ' }),
    others: `${formatCount(users)} users`,
    between: ` with ${many}`,
    judged,
    after: ')',
  }
}
