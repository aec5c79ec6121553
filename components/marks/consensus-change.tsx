import type { ComponentProps } from 'react'
import { formatConsensus } from '#components/format/numbers.ts'
import { classNames } from '#components/ui/class-names.ts'

type ConsensusChangeProps = Omit<ComponentProps<'span'>, 'children'> & { of: string | null }

export function ConsensusChange({ of, className, ...rest }: ConsensusChangeProps) {
  const text = of === null ? '–' : toSignedText(of)
  const look = text.startsWith('+') ? 'up' : /[1-9]/.test(text) ? 'down' : 'level'
  return (
    <span className={classNames(`consensus-${look}`, className)} {...rest}>
      {text}
    </span>
  )
}

/** `+0.12`, `−0.30`, `0.00`; rounded once, half away from zero. */
export function toSignedText(change: string): string {
  const text = formatConsensus(change)
  const isZero = !/[1-9]/.test(text)
  if (isZero) return text.replace(/^\D+/, '')
  return change.startsWith('-') ? text : `+${text}`
}
