const SVG = 'http://www.w3.org/2000/svg'

/** An element of a drawing, in the page's document but nowhere on the page. */
export function createSvg(
  name: string,
  attributes: Readonly<Record<string, string | number>> = {},
) {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes))
    element.setAttribute(key, toNumberText(value))
  return element
}

/** A hundredth of a pixel is nothing that anybody sees. */
const toNumberText = (value: string | number) =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : value

/** Fonts that most computers have, behind the one that the dashboard is set in. */
export const SANS =
  "Geist, Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
export const MONO = "'Geist Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

/** How wide and how high over its baseline a text is, in pixels, in a font as CSS writes it. */
export function createMeasure() {
  const context = document.createElement('canvas').getContext('2d')
  return (text: string, font: string): { width: number; ascent: number } => {
    if (!context) return { width: text.length * 6, ascent: 10 }
    context.font = font
    const { width, fontBoundingBoxAscent } = context.measureText(text)
    return { width, ascent: fontBoundingBoxAscent }
  }
}

export type Measure = ReturnType<typeof createMeasure>

/** What is shown for a moment only, and what says that it belongs to the screen alone. */
const PASSING = '[data-unsaved], noscript, script, style'

/** Whether a reader does not see an element, or sees it only while he points at something. */
export function isUnseen(element: Element): boolean {
  if (element.matches(PASSING)) return true
  const { display, visibility, opacity, clipPath, position } = getComputedStyle(element)
  if (display === 'none' || visibility !== 'visible' || opacity === '0') return true
  // What is only for screen readers.
  return position === 'absolute' && clipPath === 'inset(50%)'
}

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
