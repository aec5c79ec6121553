import { toVisibleText } from '#lib/contract/visible-text.ts'
import { formatMeanPrediction } from './numbers.ts'

const SHOWN_MAX = 400

/** At most 400 characters. */
export function toVisibleExcerpt(raw: string): string {
  const characters = Array.from(raw)
  const shown = toVisibleText(characters.slice(0, SHOWN_MAX).join(''))
  const cut = characters.length - SHOWN_MAX
  return cut > 0 ? `${shown}… (${cut} more)` : shown
}

export const joinByOr = (words: readonly string[]): string => joinBy('or', words)

const joinByAnd = (words: readonly string[]): string => joinBy('and', words)

function joinBy(word: string, words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} ${word} ${last}` : last
}

export const toComparedText = (symbols: readonly string[]): string =>
  joinByAnd(symbols.map(toVisibleText))

export const toNamedText = (symbol: string, name: string | null): string =>
  name === null ? toVisibleText(symbol) : `${toVisibleText(symbol)} · ${toVisibleText(name)}`

/** `0.011847` → `+1.18%`. `–` for null. */
export function toSignedPercent(fraction: string | null): string {
  if (fraction === null) return '–'
  return formatMeanPrediction((Number(fraction) * 100).toFixed(4))
}

export const DEMO_NOTE =
  'A program made up these ratings, and the prices where none were added. They say nothing about real companies or people.'
