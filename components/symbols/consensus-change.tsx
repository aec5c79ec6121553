import { useFormats } from '#components/format/use-formats.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { toSignedText } from './signed-consensus.ts'

/** How far a consensus went: sign, glyph and colour together. A dash where there was none to compare with. */
export function ConsensusChange({ of, className }: { of: string | null; className?: string }) {
  const formats = useFormats()
  if (of === null) return <span className={classNames('text-ink-3', className)}>–</span>
  const text = toSignedText(of, formats)
  const direction = text.startsWith('+') ? 'up' : /[1-9]/.test(text) ? 'down' : 'level'
  const { glyph, look } = LOOKS[direction]
  return (
    <span className={classNames('whitespace-nowrap', look, className)}>
      {glyph !== '' && (
        <span aria-hidden className="mr-1 font-sans text-[0.5625rem]">
          {glyph}
        </span>
      )}
      {text}
    </span>
  )
}

const LOOKS = {
  up: { glyph: '▲', look: 'text-rating-text-5' },
  down: { glyph: '▼', look: 'text-rating-text-1' },
  level: { glyph: '', look: 'text-ink-3' },
}
