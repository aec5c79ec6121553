import type { Formats } from '#components/format/numbers.ts'

/** A change of a consensus (a decimal) with its sign: `+0.12`, `−0.30`, `0.00`. Rounded once, half away from zero. */
export function toSignedText(change: string, { formatConsensus }: Formats): string {
  const text = formatConsensus(change)
  const isZero = !/[1-9]/.test(text)
  if (isZero) return text.replace(/^\D+/, '')
  return change.startsWith('-') ? text : `+${text}`
}
