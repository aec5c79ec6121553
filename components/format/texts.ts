import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { Formats } from './numbers.ts'

const SHOWN_MAX = 400

/** The beginning of a long text from outside, as {@link toVisibleText} shows it, cut at 400 characters. */
export function toVisibleExcerpt(raw: string): string {
  const characters = Array.from(raw)
  const shown = toVisibleText(characters.slice(0, SHOWN_MAX).join(''))
  const cut = characters.length - SHOWN_MAX
  return cut > 0 ? `${shown}… (${cut} more)` : shown
}

/** `A`, `A or B`, `A, B or C`. */
export const joinByOr = (words: readonly string[]): string => joinBy('or', words)

/** `A`, `A and B`, `A, B and C`. */
export const joinByAnd = (words: readonly string[]): string => joinBy('and', words)

function joinBy(word: string, words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} ${word} ${last}` : last
}

/** Several symbols as a title: `AAPL and MSFT`. */
export const toComparedText = (symbols: readonly string[]): string =>
  joinByAnd(symbols.map(toVisibleText))

/** A symbol with what it is called, where somebody says: `AAPL · Apple Inc.` */
export const toNamedText = (symbol: string, name: string | null): string =>
  name === null ? toVisibleText(symbol) : `${toVisibleText(symbol)} · ${toVisibleText(name)}`

/** A fraction as percent with its sign, two places: `0.011847` is `+1.18%`. A dash where there is none. */
export function toSignedPercent(
  fraction: string | null,
  { formatMeanPrediction }: Formats,
): string {
  if (fraction === null) return '–'
  return formatMeanPrediction((Number(fraction) * 100).toFixed(4))
}
