import { ratingLabel } from '#lib/contract/rating-codes.ts'
import { Change } from './change.tsx'
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
  const isSame = previousCode === null || previousCode === code
  return (
    <Change before={isSame ? null : ratingLabel(previousCode)} className={className}>
      <RatingMark code={code} label={label} className="max-w-full min-w-0" />
    </Change>
  )
}
