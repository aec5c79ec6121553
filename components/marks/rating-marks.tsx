import type { ReactNode } from 'react'
import { formatPrediction } from '#components/format/numbers.ts'
import { classNames } from '#components/ui/class-names.ts'
import type { Ended, RatingRow } from '#lib/contract/answers/ratings.ts'
import { actionLabel, ratingLabel } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type RatingStyle = { glyph: string; text: string; fill: string }

const NEUTRAL: RatingStyle = { glyph: '○', text: 'rating-3', fill: 'rating-fill-none' }

const RATING_STYLES: Readonly<Record<number, RatingStyle>> = {
  1: { glyph: '▼▼', text: 'rating-1', fill: 'rating-fill-1' },
  2: { glyph: '▼', text: 'rating-2', fill: 'rating-fill-2' },
  3: { glyph: '●', text: 'rating-3', fill: 'rating-fill-3' },
  4: { glyph: '▲', text: 'rating-4', fill: 'rating-fill-4' },
  5: { glyph: '▲▲', text: 'rating-5', fill: 'rating-fill-5' },
}

export const ratingStyle = (code: number): RatingStyle => RATING_STYLES[code] ?? NEUTRAL

export function RatingGlyph({ code, className }: { code: number; className?: string }) {
  const { glyph, text } = ratingStyle(code)
  return (
    <span aria-hidden className={classNames('rating-glyph', text, className)}>
      {glyph}
    </span>
  )
}

/** For an element that contains the label; CSS adds the glyph. */
export function toRatingMark(code: number) {
  const { glyph, text } = ratingStyle(code)
  return { className: `rating-mark ${text}`, 'data-glyph': glyph }
}

type MarkProps = { code: number; label?: string; aligned?: boolean; className?: string }

export const RatingMark = (props: MarkProps) => (
  <Mark {...props} mark={toRatingMark(props.code)} word={ratingLabel(props.code)} />
)

type Mark = { className: string; 'data-glyph': string }

const Mark = ({
  mark,
  word,
  label,
  aligned,
  className,
}: MarkProps & { mark: Mark; word: string }) => (
  <span {...mark} className={classNames(mark.className, aligned && 'mark-aligned', className)}>
    {label === undefined ? word : toVisibleText(label)}
  </span>
)

const GLYPHS: Readonly<Record<number, string>> = { 1: '+', 2: '↑', 3: '↓', 4: '↔' }

export const actionGlyph = (code: number): string => GLYPHS[code] ?? '·'

export const toActionMark = (code: number) => ({
  className: 'action-mark',
  'data-glyph': actionGlyph(code),
})

export const ActionMark = (props: MarkProps) => (
  <Mark {...props} mark={toActionMark(props.code)} word={actionLabel(props.code)} />
)

export const END_WORDS: Readonly<Record<NonNullable<Ended>, string>> = {
  expired: 'expired',
  vanished: 'no longer listed',
  renewed: 'replaced',
}

type StateMarkProps = { row: Pick<RatingRow, 'state' | 'ended'> }

/** Null `state`: the rating is in the future. */
export function StateMark({ row: { state, ended } }: StateMarkProps) {
  const word = ended === null ? (state ?? 'not yet') : END_WORDS[ended]
  return <span className={state === 'active' ? undefined : 'text-ink-3'}>{word}</span>
}

type RatingChangeProps = {
  /** Null: the user's first rating of the symbol. */
  previousCode: number | null
  code: number
  label?: string
}

export function RatingChange({ previousCode, code, label }: RatingChangeProps) {
  const mark = <RatingMark code={code} label={label} />
  if (previousCode === null || previousCode === code) return mark
  return <Change before={ratingLabel(previousCode)}>{mark}</Change>
}

type PredictionChangeProps = {
  /** Decimal text. Null: the first. */
  previous: string | null
  prediction: string
}

export function PredictionChange({ previous, prediction }: PredictionChangeProps) {
  const text = formatPrediction(prediction)
  if (previous === null || previous === prediction) return text
  return (
    <Change isEnd before={formatPrediction(previous)}>
      <span>{text}</span>
    </Change>
  )
}

type ChangeProps = {
  before: string
  children: ReactNode
  isEnd?: boolean
}

function Change({ before, children, isEnd = false }: ChangeProps) {
  return (
    <span title={`Before: ${before}`} className={classNames('change', isEnd && 'change-end')}>
      <span className="change-before">{before}</span>
      {children}
    </span>
  )
}
