'use client'

import { ZonedLink } from '#components/address/outlook.tsx'
import { formatRelative } from '#components/format/instants.ts'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import { type Stat, StatStrip } from '#components/ui/panels.tsx'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import { toAgreedShare, toChangeText } from './opinion-stats.ts'
import { RuleNote } from './rule-note.tsx'
import { toGivenText } from './series-reading.ts'

type SymbolStatsProps = {
  opinion: Opinion
  /** The least n that a consensus is compared over. */
  minimum: number
  /** The instant that `opinion` is judged at, or now where that is to come: seconds since 1970. */
  now: number
  isRewound: boolean
  /** `opinion` is what will be left if nothing is renewed until then. */
  isToCome: boolean
}

/** A symbol's headline: what is thought, how that changed, how much it differs, who was last. */
export function SymbolStats({ opinion, minimum, now, ...instant }: SymbolStatsProps) {
  const { isRewound, isToCome } = instant
  const formats = useFormats()
  const stats = [
    toConsensusStat(opinion, isToCome, formats),
    ...opinion.changes.map((change): Stat => {
      const { figure, detail } = toChangeText(change, { active: opinion.active, minimum }, formats)
      return { term: `Change, ${change.days} days`, figure, detail }
    }),
    toPredictionStat(opinion, formats),
    toDispersionStat(opinion, formats),
    toAgreementStat(opinion, isRewound, formats),
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
      <ZonedInstant seconds={last_created_at} /> by{' '}
      <ZonedLink className="link" href={`/users/${last_user_id}`}>
        #{last_user_id}
      </ZonedLink>
    </>
  )
}

type NotedProps = { about: string; figure: string; note: string }

/** A figure, and a button that says by which rule it was made. */
const Noted = ({ about, figure, note }: NotedProps) => (
  <span className="inline-flex items-center">
    {figure}
    <RuleNote about={about}>{note}</RuleNote>
  </span>
)

function toConsensusStat(
  { active, consensus }: Opinion,
  isToCome: boolean,
  formats: Formats,
): Stat {
  const count = formats.formatCount(active)
  const ofSome = isToCome ? `of ${count} left if nothing is renewed` : `of ${count} active`
  const ofActive = active === 0 ? 'none is active' : ofSome
  return {
    term: 'Consensus, 1–5',
    figure: (
      <Noted
        about="consensus"
        figure={formats.formatConsensus(consensus)}
        note="The mean of the active ratings, from 1 (Strong Sell) to 5 (Strong Buy), each counted once. A rating is active from when it is posted until it expires or the same member rates the symbol again."
      />
    ),
    detail: ofActive,
  }
}

function toPredictionStat({ prediction, active }: Opinion, formats: Formats): Stat {
  const given = (text: string | null) => toGivenText(text, formats)
  const { median, q1, q3, low, high, mean } = prediction
  if (median === null) return { term: 'Prediction, median', figure: '–', detail: 'none is active' }
  return {
    term: 'Prediction, median',
    figure: (
      <Noted
        about="prediction"
        figure={given(median)}
        note={`How far members expect the price to move, in percent as each gave it; the service does not say by when. Over the ${formats.formatCounted(active, 'active rating')}. Median and quartiles by nearest rank, so that each is a prediction somebody gave. Lowest ${given(low)}, highest ${given(high)}, mean ${formats.formatMeanPrediction(mean)}.`}
      />
    ),
    detail: `middle half ${given(q1)} to ${given(q3)}`,
  }
}

function toDispersionStat({ active, dispersion }: Opinion, formats: Formats): Stat {
  return {
    term: 'Dispersion',
    figure: (
      <Noted
        about="dispersion"
        figure={formats.formatConsensus(dispersion)}
        note="How far opinions lie apart: the standard deviation of the active ratings (population), in steps of the scale. 0.00 is everybody saying the same, 2.00 one half at Strong Buy and the other at Strong Sell."
      />
    ),
    detail: `standard deviation, n=${formats.formatCount(active)}`,
  }
}

function toAgreementStat(opinion: Opinion, isRewound: boolean, formats: Formats): Stat {
  const { formatCounted, formatShare } = formats
  const share = toAgreedShare(opinion)
  const low = opinion.agreement_low
  const votes = formatCounted(opinion.agree + opinion.disagree, 'vote')
  if (share === null || low === null) {
    return {
      term: 'Agreement',
      figure: '–',
      detail: opinion.active === 0 ? 'none is active' : 'nobody has voted',
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
