const SVG = 'http://www.w3.org/2000/svg'

export function createSvg(
  name: string,
  attributes: Readonly<Record<string, string | number>> = {},
) {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes))
    element.setAttribute(key, toNumberText(value))
  return element
}

const toNumberText = (value: string | number) =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : value

export const SANS =
  "Geist, Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
export const MONO = "'Geist Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

/** Pixels; `font` is a CSS font. */
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

const PASSING = '[data-unsaved], noscript, script, style'

export function isUnseen(element: Element): boolean {
  if (element.matches(PASSING)) return true
  const { display, visibility, opacity, clipPath, position } = getComputedStyle(element)
  if (display === 'none' || visibility !== 'visible' || opacity === '0') return true
  // Screen-reader-only text.
  return position === 'absolute' && clipPath === 'inset(50%)'
}

// Control characters and noncharacters, which XML forbids.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

export const toXmlText = (text: string): string => toWellFormed(text).replace(NO_XML, '\ufffd')

/** `toWellFormed` (ES2024) is missing in some browsers. */
const toWellFormed = (text: string): string =>
  text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (match) =>
    match.length === 2 ? match : '\ufffd',
  )

/**
 * Breaks at spaces, and within words wider than `width`. `measure` returns the unit of `width`.
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

export function toFitting(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text
  const letters = [...text]
  while (letters.length > 0 && measure(`${letters.join('')}…`) > width) letters.pop()
  return `${letters.join('').trimEnd()}…`
}
