import { actionGlyph } from '#components/rating/action-mark.tsx'
import { RatingMark, ratingLook } from '#components/rating/rating-mark.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { ACTION_LABELS, RATING_LABELS } from '#lib/contract/rating-codes.ts'

/** What colours, glyphs and ends mean. The service seldom drops a call: that mark is named where there is one. */
export function CallsLegend({ hasVanished }: { hasVanished: boolean }) {
  return (
    <ul
      aria-label="Legend"
      data-pane="legend"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-3"
    >
      {Object.entries(RATING_LABELS).map(([code, label]) => (
        <li key={code} className="inline-flex items-center gap-1.5">
          <span
            aria-hidden
            className={classNames('h-2 w-3 rounded-xs', ratingLook(Number(code)).fill)}
          />
          <RatingMark code={Number(code)} label={label} />
        </li>
      ))}
      {Object.entries(ACTION_LABELS).map(([code, label]) => (
        <li key={code}>
          <span aria-hidden>{actionGlyph(Number(code))}</span> {label}
        </li>
      ))}
      <li>
        <span aria-hidden>|</span> expired
      </li>
      {hasVanished && (
        <li>
          <span aria-hidden>¦</span> no longer listed by the service
        </li>
      )}
      <li>
        <span aria-hidden>○</span> expired before it was posted
      </li>
    </ul>
  )
}
