import { useFormats } from '#components/format/use-formats.tsx'
import { RatingMark } from '#components/marks/rating-marks.tsx'
import { RuleNote } from '#components/ui/help-popover.tsx'
import type { CommunityRecord } from '#lib/contract/answers/track.ts'
import { TallyTable } from './tally-table.tsx'
import { toBenchmarkText, toFollowedText } from './track-texts.ts'

export function FollowedFigure({ record }: { record: CommunityRecord }) {
  const formats = useFormats()
  const { followed, horizon, prices } = record
  const { buy, sell, symbols, months } = followed
  const than = toBenchmarkText(prices.benchmark)
  return (
    <section aria-label="Following the consensus" className="flex min-w-0 flex-col gap-2">
      <div>
        <h3 className="flex items-center text-sm font-medium text-ink-3">
          Following the consensus
          <RuleNote about="following the consensus">
            The consensus of each symbol with at least 3 active ratings at each month’s end: a buy
            from 3.50 on, a sell up to 2.50, nothing between. Each is held against prices as a
            rating of that second would be, over {horizon} days against {than}. What a symbol’s
            consensus said in months whose days overlap is one call. Costs of trading are not in it.
          </RuleNote>
        </h3>
        <p className="max-w-[80ch] text-base text-pretty">
          {toFollowedText(record, formats)}{' '}
          {followed.clusters > 0 &&
            `From ${formats.formatCounted(followed.scored, 'consensus', 'consensuses')} of ${formats.formatCounted(symbols, 'symbol')} at the ends of ${formats.formatCounted(months, 'month')}. It says what was, and is no advice.`}
        </p>
      </div>
      {followed.clusters > 0 && (
        <TallyTable
          isFolded
          of="Consensus"
          rows={[
            { key: 'all', name: 'Both', tally: followed },
            { key: 'buy', name: <RatingMark aligned code={4} label="Said buy" />, tally: buy },
            { key: 'sell', name: <RatingMark aligned code={2} label="Said sell" />, tally: sell },
          ]}
          title="By what the consensus said"
        />
      )}
    </section>
  )
}
