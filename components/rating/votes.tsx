import { formatCount } from '#components/format/count.ts'
import { classNames } from '#components/ui/class-names.ts'

type VotesProps = {
  agree: number
  disagree: number
  className?: string
}

/** Agreement against disagreement: a split bar and `16 / 3`. Without votes the bar is empty. */
export function Votes({ agree, disagree, className }: VotesProps) {
  const votes = agree + disagree
  return (
    <span className={classNames('relative inline-flex items-center gap-1.5', className)}>
      <span
        aria-hidden
        className="bar-track flex h-1 w-[44px] shrink-0 gap-px overflow-hidden rounded-full"
      >
        {agree > 0 && (
          <span className="rating-fill-4" style={{ width: `${(100 * agree) / votes}%` }} />
        )}
        {disagree > 0 && <span className="rating-fill-2 grow" />}
      </span>
      <span aria-hidden className="text-ink-3">
        {formatCount(agree)} / {formatCount(disagree)}
      </span>
      <span className="sr-only">
        {formatCount(agree)} agree, {formatCount(disagree)} disagree
      </span>
    </span>
  )
}
