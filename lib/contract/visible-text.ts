// What nobody sees or what turns writing around: controls, format characters, fillers, variation selectors, tags,
// noncharacters (no XML may hold some of them), the blank of Braille; spaces that are none of the keyboard's, or stand where they cannot be told; a mark that would stand
// on the letter before the text; and what already looks like one of our marks.
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]|(?! )\p{Zs}|^ +| +$| {2,}|^\p{M}|\\(?=[uU](?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]+\}))/gu

/** Nearly every text, found without looking at each letter's properties. */
const PLAIN = /^[!-[\]-~]+(?: [!-[\]-~]+)*$/

const MARK = /\\u(?:([0-9a-f]{4})|\{([0-9a-f]{5,6})\})/g

/**
 * Text from outside as it is shown: everything invisible is written out (`\u202e`, `\u{e0041}`), so that two texts that
 * differ never look alike for it. Ordinary writing of any script stays as it is. {@link fromVisibleText} reads it back.
 */
export const toVisibleText = (raw: string): string =>
  PLAIN.test(raw) ? raw : raw.replace(HIDDEN, (found, at: number) => toMarks(found, at, raw))

function toMarks(found: string, at: number, raw: string): string {
  const isWithin = found[0] === ' ' && at > 0 && at + found.length < raw.length
  const marks = Array.from(found, toMark)
  // Between two words one space is nothing odd.
  return isWithin ? [' ', ...marks.slice(1)].join('') : marks.join('')
}

function toMark(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/** The text that {@link toVisibleText} shows so. What is no mark stays as it is, whatever anybody typed. */
export const fromVisibleText = (shown: string): string =>
  shown.replace(MARK, (mark, short?: string, long?: string) => {
    const code = Number.parseInt(short ?? long ?? '', 16)
    return code > 0x10ffff ? mark : String.fromCodePoint(code)
  })

/** What of a text is invisible, in words for a file's name: `AAPL` and U+202E are `AAPL-u202e-`. */
export const toVisibleWord = (raw: string): string =>
  PLAIN.test(raw)
    ? raw
    : raw.replace(HIDDEN, (found) => (/^[ \\]/.test(found) ? found : toWord(found)))

const toWord = (found: string) => `-u${(found.codePointAt(0) ?? 0).toString(16)}-`
