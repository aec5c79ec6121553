import { toXmlText } from './plain-text.ts'
import { INITIAL_LOOK, type Look, toLook } from './presentation.ts'
import { createSvg, isUnseen, MONO } from './press.ts'

/** Everything that a drawing may consist of. No script, no image, no foreign content, no link. */
const KNOWN = new Set(
  'svg g path line rect circle ellipse polyline polygon text tspan defs clipPath mask linearGradient radialGradient stop pattern'.split(
    ' ',
  ),
)
const DEFINITIONS = new Set([
  'defs',
  'clipPath',
  'mask',
  'linearGradient',
  'radialGradient',
  'stop',
  'pattern',
])

const GEOMETRY =
  'd x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy width height points transform viewBox preserveAspectRatio rotate offset gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits'.split(
    ' ',
  )

/** The drawings of one file: their parts need names that are different in all of them. */
export function createSvgPrinter() {
  let named = 0
  return function printSvg(svg: SVGSVGElement, place: DOMRectReadOnly): SVGElement {
    const names = new Map<string, string>()
    const toReference = (id: string) => {
      if (svg.querySelector(`#${CSS.escape(id)}`) === null) return null
      const name = names.get(id) ?? `part${++named}`
      names.set(id, name)
      return name
    }
    const print = (element: Element, within: Look): SVGElement | null => {
      if (!KNOWN.has(element.localName)) return null
      if (!DEFINITIONS.has(element.localName) && isUnseen(element)) return null
      const { written, look } = toLook(element, within, toReference)
      const printed = createSvg(element.localName, { ...toGeometry(element), ...written })
      const name = element.id === '' ? null : toReference(element.id)
      if (name !== null) printed.id = name
      if (element.localName === 'text' && isMono(element)) printed.setAttribute('font-family', MONO)
      for (const child of element.childNodes) {
        if (child instanceof Element) printed.append(print(child, look) ?? '')
        else if (child instanceof Text && /^(?:text|tspan)$/.test(element.localName)) {
          printed.append(toXmlText(child.data))
        }
      }
      return isEmptyGroup(printed) ? null : printed
    }
    const printed = print(svg, INITIAL_LOOK) ?? createSvg('g')
    for (const side of ['x', 'y', 'width', 'height'] as const) {
      printed.setAttribute(side, String(Math.round(place[side] * 100) / 100))
    }
    if (getComputedStyle(svg).overflow === 'visible') printed.setAttribute('overflow', 'visible')
    return printed
  }
}

const toGeometry = (element: Element): Record<string, string> =>
  Object.fromEntries(
    GEOMETRY.flatMap((name) => {
      const value = element.getAttribute(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )

const isMono = (element: Element) =>
  /mono/i.test(getComputedStyle(element).fontFamily.split(',')[0] ?? '')

const isEmptyGroup = ({ localName, childElementCount }: Element) =>
  localName === 'g' && childElementCount === 0
