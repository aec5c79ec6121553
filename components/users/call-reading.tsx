import { useFormats } from '#components/format/use-formats.tsx'
import { toZonedText } from '#components/format/zoned.ts'
import { ActionMark } from '#components/rating/action-mark.tsx'
import { RatingMark } from '#components/rating/rating-mark.tsx'
import { useZone } from '#components/time/zone.tsx'
import { toZoneName } from '#components/time/zone-name.ts'
import { toEndText } from './call-texts.ts'
import type { PlacedCall } from './calls-layout.ts'

/** The call that is pointed at, in full; as high without one. `leads`: it can be opened. */
export function CallReading({ placed, leads }: { placed: PlacedCall | null; leads: boolean }) {
  const { formatPrediction } = useFormats()
  const zone = useZone()
  return (
    <p
      aria-hidden
      className="flex min-h-11 flex-wrap items-baseline content-start gap-x-3 text-sm text-ink-3 sm:min-h-5"
      data-unsaved
    >
      {placed === null ? (
        `Point at a call, or move with the arrow keys, to read it${leads ? '; a click or Enter opens the rating' : ''}.`
      ) : (
        <>
          <strong className="text-ink">{placed.symbol}</strong>
          <ActionMark code={placed.call.action} label={placed.call.action_label} />
          <RatingMark code={placed.call.rating} label={placed.call.rating_label} />
          <span className="text-ink">{formatPrediction(placed.call.prediction)}</span>
          <span>
            {toZonedText(placed.call.created_at, zone)} {toZoneName(zone)},{' '}
            {toEndText(placed.call, zone)}
          </span>
        </>
      )}
    </p>
  )
}
