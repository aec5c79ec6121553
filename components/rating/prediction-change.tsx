import { useFormats } from '#components/format/use-formats.tsx'
import { Change } from './change.tsx'

type PredictionChangeProps = {
  /** The member's prediction before this one on the symbol; null where there was none. */
  previous: string | null
  prediction: string
  className?: string
}

/** `+8.00% → +12.50%`; a prediction that did not change stands alone. Decimal texts, never floats. */
export function PredictionChange({ previous, prediction, className }: PredictionChangeProps) {
  const { formatPrediction } = useFormats()
  const isSame = previous === null || previous === prediction
  return (
    <Change isEnd before={isSame ? null : formatPrediction(previous)} className={className}>
      {/* In a narrow column its end is cut off, never the sign and the first digits. */}
      <span className="min-w-0 truncate">{formatPrediction(prediction)}</span>
    </Change>
  )
}
