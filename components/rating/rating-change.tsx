import { classNames } from '#components/ui/class-names.ts'
import { ratingLabel } from '#lib/contract/rating-codes.ts'
import { ChangeArrow } from './change-arrow.tsx'
import { RatingMark } from './rating-mark.tsx'

type RatingChangeProps = {
  /** The member's rating before this one on the symbol; null where there was none. */
  previousCode: number | null
  code: number
  label?: string
  className?: string
}

/** `Hold → ▲ Moderate Buy`; a rating that did not change stands alone. */
export function RatingChange({ previousCode, code, label, className }: RatingChangeProps) {
  if (previousCode === null || previousCode === code) {
    return <RatingMark code={code} label={label} className={className} />
  }
  return (
    <span className={classNames('inline-flex items-baseline gap-1.5 whitespace-nowrap', className)}>
      <span className="text-ink-3">{ratingLabel(previousCode)}</span>
      <ChangeArrow />
      <RatingMark code={code} label={label} />
    </span>
  )
}
