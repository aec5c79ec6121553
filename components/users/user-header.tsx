'use client'

import type { Formats } from '#components/format/formats.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { toSignedText } from '#components/symbols/signed-consensus.ts'
import { ZonedDay } from '#components/time/instant.tsx'
import { useZonedHref } from '#components/time/zoned-link.tsx'
import { TimeMachine } from '#components/time-machine/time-machine.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { type Stat, StatStrip } from '#components/ui/stat-strip.tsx'
import type { User } from '#lib/contract/answers/users.ts'
import { toAgreementText } from './agreement.ts'
import { toUserRatingsHref } from './user-address.ts'

/** A user's number, since when, and the headline figures, n beside every mean. */
export function UserHeader({ user }: { user: User }) {
  const formats = useFormats()
  const { formatCounted } = formats
  const zoned = useZonedHref()
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-2xl">User {user.user_id}</h1>
        <p className="text-ink-3">
          {formatCounted(user.ratings, 'rating')} of {formatCounted(user.symbols, 'symbol')} since{' '}
          <ZonedDay seconds={user.first_created_at} />
        </p>
        <div className="flex flex-wrap items-center gap-2 sm:ml-auto">
          <TimeMachine />
          <ButtonLink href={zoned(toUserRatingsHref(user.user_id))} variant="solid">
            All ratings
          </ButtonLink>
        </div>
      </div>
      <StatStrip stats={toStats(user, formats)} />
    </>
  )
}

function toStats(user: User, formats: Formats): Stat[] {
  const { formatConsensus, formatCount, formatCounted, formatMeanPrediction } = formats
  const votes = user.agree + user.disagree
  const ofAll = `of ${formatCounted(user.ratings, 'rating')}`
  return [
    { term: 'Active', figure: formatCount(user.active), detail: ofAll },
    { term: 'In 90 days', figure: formatCount(user.recent), detail: ofAll },
    { term: 'Mean rating, 1–5', figure: formatConsensus(user.avg_rating), detail: ofAll },
    { term: 'Mean prediction', figure: formatMeanPrediction(user.avg_prediction), detail: ofAll },
    {
      term: 'Bias, steps',
      figure: user.bias === null ? '–' : toSignedText(user.bias, formats),
      detail: user.bias === null ? 'too few others' : `of ${formatCount(user.bias_n)} active`,
    },
    {
      term: 'Agreement received',
      figure: toAgreementText(user.agree, user.disagree, formats) ?? '–',
      detail: votes === 0 ? 'no votes' : `of ${formatCounted(votes, 'vote')}`,
    },
    {
      term: 'Last rated',
      figure: (
        <span className="whitespace-nowrap">
          <ZonedDay seconds={user.last_created_at} />
        </span>
      ),
    },
  ]
}
