import { toVisibleText } from '#lib/contract/visible-text.ts'

const SHOWN_MAX = 400

/** The beginning of a long text from outside, as {@link toVisibleText} shows it, cut at 400 characters. */
export function toVisibleExcerpt(raw: string): string {
  const characters = Array.from(raw)
  const shown = toVisibleText(characters.slice(0, SHOWN_MAX).join(''))
  const cut = characters.length - SHOWN_MAX
  return cut > 0 ? `${shown}… (${cut} more)` : shown
}

/** `A`, `A or B`, `A, B or C`. */
export function joinByOr(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${last}` : last
}

/** A symbol with what it is called, where somebody says: `AAPL · Apple Inc.` */
export const toNamedText = (symbol: string, name: string | null): string =>
  name === null ? toVisibleText(symbol) : `${toVisibleText(symbol)} · ${toVisibleText(name)}`
