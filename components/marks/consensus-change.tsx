import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { classNames } from '#components/ui/class-names.ts'

/** How far a consensus went: sign, glyph and colour together. A dash where there was none to compare with. */
export function ConsensusChange({ of, className }: { of: string | null; className?: string }) {
  const formats = useFormats()
  if (of === null) return <span className={classNames('text-ink-3', className)}>–</span>
  const text = toSignedText(of, formats)
  const direction = text.startsWith('+') ? 'up' : /[1-9]/.test(text) ? 'down' : 'level'
  const { glyph, look } = DIRECTIONS[direction]
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

const DIRECTIONS = {
  up: { glyph: '▲', look: 'text-rating-text-5' },
  down: { glyph: '▼', look: 'text-rating-text-1' },
  level: { glyph: '', look: 'text-ink-3' },
}

/** A change of a consensus (a decimal) with its sign: `+0.12`, `−0.30`, `0.00`. Rounded once, half away from zero. */
export function toSignedText(change: string, { formatConsensus }: Formats): string {
  const text = formatConsensus(change)
  const isZero = !/[1-9]/.test(text)
  if (isZero) return text.replace(/^\D+/, '')
  return change.startsWith('-') ? text : `+${text}`
}
