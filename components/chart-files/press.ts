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
