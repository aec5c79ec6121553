import { formatPrediction } from '#components/format/prediction.ts'
import { classNames } from '#components/ui/class-names.ts'
import { ChangeArrow } from './change-arrow.tsx'

type PredictionChangeProps = {
  /** The member's prediction before this one on the symbol; null where there was none. */
  previous: string | null
  prediction: string
  className?: string
}

/** `+8.00% → +12.50%`; a prediction that did not change stands alone. Decimal texts, never floats. */
export function PredictionChange({ previous, prediction, className }: PredictionChangeProps) {
  return (
    <span className={classNames('inline-flex items-baseline gap-1.5 whitespace-nowrap', className)}>
      {previous !== null && previous !== prediction && (
        <>
          <span className="text-ink-3">{formatPrediction(previous)}</span>
          <ChangeArrow />
        </>
      )}
      <span>{formatPrediction(prediction)}</span>
    </span>
  )
}
