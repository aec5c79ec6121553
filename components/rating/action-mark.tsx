import { classNames } from '#components/ui/class-names.ts'
import { actionLabel } from '#lib/contract/rating-codes.ts'

const GLYPHS: Readonly<Record<number, string>> = { 1: '+', 2: '↑', 3: '↓', 4: '↻' }

/** The shape of an action; a dot for one that we do not know. */
export const actionGlyph = (code: number): string => GLYPHS[code] ?? '·'

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
  return (
    <span className={classNames('inline-flex items-baseline gap-1.5 whitespace-nowrap', className)}>
      <span
        aria-hidden
        className={classNames('shrink-0 text-center text-ink-3', aligned ? 'w-5' : 'w-3')}
      >
        {actionGlyph(code)}
      </span>
      {label ?? actionLabel(code)}
    </span>
  )
}
