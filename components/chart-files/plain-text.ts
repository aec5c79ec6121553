// What no XML may hold: control characters, and the two that are no characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A text as XML can hold it: what it cannot is a sign of replacement, and the text stays as long. */
export const toXmlText = (text: string): string => toWellFormed(text).replace(NO_XML, '\ufffd')

/** Halves of letters are none: `toWellFormed` of ES2024, which not every browser has. */
const toWellFormed = (text: string): string =>
  text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (match) =>
    match.length === 2 ? match : '\ufffd',
  )

/**
 * A text in lines no wider than `width`, by whole words; a word that is wider is broken between two of its letters.
 * `measure` gives a width in the same unit.
 */
export function toLines(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (measure(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const letter of word) {
      if (line !== '' && measure(line + letter) > width) {
        lines.push(line)
        line = ''
      }
      line += letter
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** The beginning of a text that fits, with the sign that there is more; all of it where it fits. */
export function toFitting(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text
  const letters = [...text]
  while (letters.length > 0 && measure(`${letters.join('')}…`) > width) letters.pop()
  return `${letters.join('').trimEnd()}…`
}
