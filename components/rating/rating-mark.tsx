import { classNames } from '#components/ui/class-names.ts'
import { ratingLabel } from '#lib/contract/rating-codes.ts'

type RatingLook = { glyph: string; text: string; fill: string }

const NEUTRAL: RatingLook = { glyph: '◆', text: 'text-rating-text-3', fill: 'rating-fill-none' }

const LOOKS: Readonly<Record<number, RatingLook>> = {
  1: { glyph: '▼▼', text: 'text-rating-text-1', fill: 'rating-fill-1' },
  2: { glyph: '▼', text: 'text-rating-text-2', fill: 'rating-fill-2' },
  3: { glyph: '●', text: 'text-rating-text-3', fill: 'rating-fill-3' },
  4: { glyph: '▲', text: 'text-rating-text-4', fill: 'rating-fill-4' },
  5: { glyph: '▲▲', text: 'text-rating-text-5', fill: 'rating-fill-5' },
}

/** Glyph, text class and fill class of a code. A code that is not on the scale is neutral. */
export const ratingLook = (code: number): RatingLook => LOOKS[code] ?? NEUTRAL

/** The glyph alone, in its colour: a label must stand beside it. `className` may widen its column. */
export function RatingGlyph({ code, className }: { code: number; className?: string }) {
  const { glyph, text } = ratingLook(code)
  return (
    <span
      aria-hidden
      className={classNames(
        'inline-block font-sans text-[0.5625rem] leading-none tracking-[-0.06em]',
        text,
        className,
      )}
    >
      {glyph}
    </span>
  )
}

type RatingMarkProps = {
  code: number
  /** As the service wrote it; left out, our own name of the code. */
  label?: string
  /** Gives the glyph a column of its own, so that labels align below each other. */
  aligned?: boolean
  className?: string
}

/** A rating by glyph, label and colour together. */
export function RatingMark({ code, label, aligned = false, className }: RatingMarkProps) {
  return (
    <span className={classNames('inline-flex items-baseline gap-1.5', className)}>
      <RatingGlyph code={code} className={aligned ? 'w-[1.25rem] shrink-0' : 'shrink-0'} />
      <span className={classNames('truncate', ratingLook(code).text)}>
        {label ?? ratingLabel(code)}
      </span>
    </span>
  )
}
