import type { ReactNode } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { Ended, RatingRow } from '#lib/contract/answers/ratings.ts'
import { actionLabel, ratingLabel } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type RatingStyle = { glyph: string; text: string; fill: string }

const NEUTRAL: RatingStyle = { glyph: '◆', text: 'rating-3', fill: 'rating-fill-none' }

const RATING_STYLES: Readonly<Record<number, RatingStyle>> = {
  1: { glyph: '▼▼', text: 'rating-1', fill: 'rating-fill-1' },
  2: { glyph: '▼', text: 'rating-2', fill: 'rating-fill-2' },
  3: { glyph: '●', text: 'rating-3', fill: 'rating-fill-3' },
  4: { glyph: '▲', text: 'rating-4', fill: 'rating-fill-4' },
  5: { glyph: '▲▲', text: 'rating-5', fill: 'rating-fill-5' },
}

/** Glyph, text class and fill class of a code. A code that is not on the scale is neutral. */
export const ratingStyle = (code: number): RatingStyle => RATING_STYLES[code] ?? NEUTRAL

/** The glyph alone, in its colour: a label must stand beside it. `className` may widen its column. */
export function RatingGlyph({ code, className }: { code: number; className?: string }) {
  const { glyph, text } = ratingStyle(code)
  return (
    <span aria-hidden className={classNames('rating-glyph', text, className)}>
      {glyph}
    </span>
  )
}

/** What makes an element with a rating's label as its text a mark of it: the style sheet draws the glyph before it. */
export function toRatingMark(code: number) {
  const { glyph, text } = ratingStyle(code)
  return { className: `rating-mark ${text}`, 'data-glyph': glyph }
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
  const mark = toRatingMark(code)
  return (
    <span {...mark} className={classNames(mark.className, aligned && 'mark-aligned', className)}>
      {label === undefined ? ratingLabel(code) : toVisibleText(label)}
    </span>
  )
}

const GLYPHS: Readonly<Record<number, string>> = { 1: '+', 2: '↑', 3: '↓', 4: '↻' }

/** The shape of an action; a dot for one that we do not know. */
export const actionGlyph = (code: number): string => GLYPHS[code] ?? '·'

/** What makes an element with an action's label as its text a mark of it, as {@link toRatingMark} does. */
export const toActionMark = (code: number) => ({
  className: 'action-mark',
  'data-glyph': actionGlyph(code),
})

type ActionMarkProps = {
  code: number
  /** As the service wrote it; left out, our own name of the code. */
  label?: string
  /** Gives the shape the column that a rating's glyph has. */
  aligned?: boolean
  className?: string
}

/** An action by shape and label: hues belong to the ratings. */
export function ActionMark({ code, label, aligned = false, className }: ActionMarkProps) {
  const mark = toActionMark(code)
  return (
    <span {...mark} className={classNames(mark.className, aligned && 'mark-aligned', className)}>
      {label === undefined ? actionLabel(code) : toVisibleText(label)}
    </span>
  )
}

/** What ended a rating, in a word that is the same wherever it stands: the first of what could have. */
export const END_WORDS: Readonly<Record<NonNullable<Ended>, string>> = {
  expired: 'expired',
  vanished: 'unlisted',
  renewed: 'replaced',
}

type StateMarkProps = { row: Pick<RatingRow, 'state' | 'ended'> }

/** Whether a rating counts, and what ended it where it does not. Without a state it lies in the future. */
export function StateMark({ row: { state, ended } }: StateMarkProps) {
  const word = ended === null ? (state ?? 'not yet') : END_WORDS[ended]
  return <span className={state === 'active' ? undefined : 'text-ink-3'}>{word}</span>
}

type RatingChangeProps = {
  /** The user's rating before this one on the symbol; null where there was none. */
  previousCode: number | null
  code: number
  label?: string
}

/** `Hold → ▲ Moderate Buy`; a rating that did not change stands alone. */
export function RatingChange({ previousCode, code, label }: RatingChangeProps) {
  const mark = <RatingMark code={code} label={label} />
  if (previousCode === null || previousCode === code) return mark
  return <Change before={ratingLabel(previousCode)}>{mark}</Change>
}

type PredictionChangeProps = {
  /** The user's prediction before this one on the symbol; null where there was none. */
  previous: string | null
  prediction: string
}

/** `+8.00% → +12.50%`; a prediction that did not change stands alone. Decimal texts, never floats. */
export function PredictionChange({ previous, prediction }: PredictionChangeProps) {
  const { formatPrediction } = useFormats()
  const text = formatPrediction(prediction)
  if (previous === null || previous === prediction) return text
  return (
    <Change isEnd before={formatPrediction(previous)}>
      <span>{text}</span>
    </Change>
  )
}

type ChangeProps = {
  /** What was there before, as text. */
  before: string
  /** What is there now. */
  children: ReactNode
  /** Numbers stand at the right. */
  isEnd?: boolean
}

/**
 * Before → after on one line. Where there is no room for both, what was before steps back: it wraps to a second line
 * below, which is cut off, and stays in the title and for screen readers. The arrow between both is drawn: it is heard as
 * “to”.
 */
function Change({ before, children, isEnd = false }: ChangeProps) {
  return (
    <span title={`Before: ${before}`} className={classNames('change', isEnd && 'change-end')}>
      <span className="change-before">{before}</span>
      {children}
    </span>
  )
}
