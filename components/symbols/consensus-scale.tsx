import { useFormats } from '#components/format/use-formats.tsx'
import { ratingLook } from '#components/rating/rating-mark.tsx'
import { classNames } from '#components/ui/class-names.ts'

/** A consensus as its place between Strong Sell and Strong Buy, and its number. Its n stands in the column beside it. */
export function ConsensusScale({ consensus }: { consensus: string | null }) {
  const { formatConsensus } = useFormats()
  return (
    <span className="inline-flex items-baseline gap-2">
      {consensus !== null && <ScaleDot consensus={Number(consensus)} />}
      <span className="font-medium">{formatConsensus(consensus)}</span>
    </span>
  )
}

/** Only the place is drawn from the number; it is clamped, for services with other codes. */
function ScaleDot({ consensus }: { consensus: number }) {
  const place = Math.max(0, Math.min(1, (consensus - 1) / 4))
  return (
    <span aria-hidden className="relative hidden h-2 w-16 sm:inline-block">
      <span className="absolute inset-x-0 top-1/2 h-px bg-line-2" />
      <span className="absolute top-0 left-1/2 h-2 w-px bg-line-2" />
      <span
        className={classNames(
          'absolute top-0 size-2 -translate-x-1/2 rounded-full',
          ratingLook(Math.round(consensus)).fill,
        )}
        style={{ left: `${place * 100}%` }}
      />
    </span>
  )
}
