import { formatCount } from '#components/format/count.ts'
import { classNames } from '#components/ui/class-names.ts'

/** A count of votes, and its share of all votes as a small bar. */
export function VoteShare({
  votes,
  others,
  fill,
}: {
  votes: number
  others: number
  fill: string
}) {
  const share = votes === 0 ? 0 : votes / (votes + others)
  return (
    <span className="flex items-center justify-end gap-2">
      <span aria-hidden className="bar-track h-1 w-5 overflow-hidden rounded-full">
        <span className={classNames('block h-full', fill)} style={{ width: `${share * 100}%` }} />
      </span>
      <span className="min-w-[2ch] text-right text-ink-2">{formatCount(votes)}</span>
    </span>
  )
}
