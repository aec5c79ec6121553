const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]|(?! )\p{Zs}|^ +| +$| {2,}|^\p{M}|\\(?=[uU](?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]+\}))/gu

/** Fast path for nearly every text. */
const PLAIN = /^[!-[\]-~]+(?: [!-[\]-~]+)*$/

const MARK = /\\u(?:([0-9a-f]{4})|\{([0-9a-f]{5,6})\})/g

/** Escapes invisible characters (`\u202e`). {@link fromVisibleText} is the inverse. */
export const toVisibleText = (raw: string): string =>
  PLAIN.test(raw) ? raw : raw.replace(HIDDEN, (found, at: number) => toMarks(found, at, raw))

function toMarks(found: string, at: number, raw: string): string {
  const isWithin = found[0] === ' ' && at > 0 && at + found.length < raw.length
  const marks = Array.from(found, toMark)
  return isWithin ? [' ', ...marks.slice(1)].join('') : marks.join('')
}

function toMark(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

export const fromVisibleText = (shown: string): string =>
  shown.replace(MARK, (mark, short?: string, long?: string) => {
    const code = Number.parseInt(short ?? long ?? '', 16)
    return code > 0x10ffff ? mark : String.fromCodePoint(code)
  })

/** `AAPL` plus U+202E becomes `AAPL-u202e-`. */
export const toVisibleWord = (raw: string): string =>
  PLAIN.test(raw)
    ? raw
    : raw.replace(HIDDEN, (found) => (/^[ \\]/.test(found) ? found : toWord(found)))

const toWord = (found: string) => `-u${(found.codePointAt(0) ?? 0).toString(16)}-`
