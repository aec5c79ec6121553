const SHOWN_MAX = 400
// Controls, zero-width characters, and the marks that turn writing around: what a reader would not see, or see wrongly.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\p{Default_Ignorable_Code_Point}\u00a0]/gu

/** Text from outside, with everything invisible written out (`\u202e`) and cut at 400 characters. */
export function toVisibleText(raw: string): string {
  const characters = Array.from(raw)
  const shown = characters.slice(0, SHOWN_MAX).join('').replace(HIDDEN, toEscape)
  const cut = characters.length - SHOWN_MAX
  return cut > 0 ? `${shown}… (${cut} more)` : shown
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const toEscape = (character: string): string =>
  NAMED[character] ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`

/** `A`, `A or B`, `A, B or C`. */
export function joinByOr(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${last}` : last
}
