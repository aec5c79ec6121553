import { formatPrediction } from '#components/format/prediction.ts'
import { Change } from './change.tsx'

type PredictionChangeProps = {
  /** The member's prediction before this one on the symbol; null where there was none. */
  previous: string | null
  prediction: string
  className?: string
}

/** `+8.00% → +12.50%`; a prediction that did not change stands alone. Decimal texts, never floats. */
export function PredictionChange({ previous, prediction, className }: PredictionChangeProps) {
  const isSame = previous === null || previous === prediction
  return (
    <Change isEnd before={isSame ? null : formatPrediction(previous)} className={className}>
      <span>{formatPrediction(prediction)}</span>
    </Change>
  )
}
