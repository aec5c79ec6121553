import { useFormats } from '#components/format/use-formats.tsx'
import { ratingStyle } from '#components/marks/rating-marks.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'

type ConsensusScaleProps = {
  row: Pick<SymbolRow, 'consensus' | 'consensus_low' | 'consensus_high'>
  /** The end of the interval that is written: the one that the order goes by. */
  bound: 'low' | 'high'
}

/**
 * A consensus as its place between Strong Sell and Strong Buy, before it the interval that it is ranked by, then its
 * number and one end of the interval. Its n stands in the column beside it.
 */
export function ConsensusScale({ row, bound }: ConsensusScaleProps) {
  const { consensus, consensus_low: low, consensus_high: high } = row
  const { formatConsensus } = useFormats()
  if (consensus === null || low === null || high === null) {
    return <span className="text-ink-3">{formatConsensus(consensus)}</span>
  }
  const interval = `${formatConsensus(low)} to ${formatConsensus(high)}`
  return (
    <span
      className="inline-flex items-baseline gap-2"
      title={`Ranked by what it may be: ${interval}`}
    >
      <Scale consensus={Number(consensus)} high={Number(high)} low={Number(low)} />
      <span className="font-medium">{formatConsensus(consensus)}</span>
      <span aria-hidden className="min-w-10 text-sm text-ink-3">
        {bound === 'low' ? `≥ ${formatConsensus(low)}` : `≤ ${formatConsensus(high)}`}
      </span>
      <span className="sr-only">, may be {interval}</span>
    </span>
  )
}

/** Only places are drawn from the numbers. Of few opinions the dot may lie outside its interval. */
function Scale({ consensus, low, high }: Record<'consensus' | 'low' | 'high', number>) {
  const [from, to] = [toPlace(low), toPlace(high)]
  return (
    <span aria-hidden className="relative hidden h-2 w-32 sm:inline-block">
      <span className={classNames('absolute inset-x-0 top-1/2 h-px', AXIS)} />
      <span className={classNames('absolute top-0 left-1/2 h-2 w-px', AXIS)} />
      <span
        className="absolute top-[3px] h-0.5 bg-ink-3 forced-color-adjust-none forced-colors:bg-[CanvasText]"
        data-interval
        style={{ left: `${from}%`, width: `${to - from}%` }}
      />
      <span
        className={classNames(
          'absolute top-px size-1.5 -translate-x-1/2 rounded-full',
          ratingStyle(Math.round(consensus)).fill,
        )}
        style={{ left: `${toPlace(consensus)}%` }}
      />
    </span>
  )
}

const AXIS = 'bg-line-2 forced-color-adjust-none forced-colors:bg-[GrayText]'

/** From 0 at Strong Sell to 100 at Strong Buy; clamped, for services with other codes. */
const toPlace = (rating: number) => Math.max(0, Math.min(100, 25 * (rating - 1)))
