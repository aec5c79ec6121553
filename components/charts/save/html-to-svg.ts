import { createSvg, isUnseen, type Measure, MONO, toFitting, toXmlText } from './svg-elements.ts'
import { INITIAL_STYLE, readColour, type SvgStyle, toSvgStyle } from './svg-style.ts'

type SvgTarget = {
  origin: { x: number; y: number }
  seen: DOMRectReadOnly
  onto: SVGElement
  measure: Measure
  printSvg: ReturnType<typeof createSvgRenderer>
}

export function renderHtml(element: Element, press: SvgTarget): void {
  if (isUnseen(element)) return
  const rect = element.getBoundingClientRect()
  if (element instanceof SVGSVGElement) {
    if (isSeen(rect, press)) press.onto.append(press.printSvg(element, toPlace(rect, press)))
    return
  }
  const style = getComputedStyle(element)
  const within = { ...press, onto: toFaded(style, press.onto) }
  if (isSeen(rect, press)) renderBackground(style, toPlace(rect, press), within.onto)
  if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
    within.seen = toCommon(rect, press.seen)
  }
  renderGlyph(element, within)
  for (const child of element.childNodes) {
    if (child instanceof Element) renderHtml(child, within)
    else if (child instanceof Text && child.data.trim() !== '') renderText(child, element, within)
  }
}

const toPlace = ({ x, y, width, height }: DOMRectReadOnly, { origin }: SvgTarget) =>
  new DOMRectReadOnly(x - origin.x, y - origin.y, width, height)

function isSeen({ left, right, top, bottom }: DOMRectReadOnly, { seen }: SvgTarget): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  return x >= seen.left && x <= seen.right && y >= seen.top && y <= seen.bottom
}

function toCommon(one: DOMRectReadOnly, other: DOMRectReadOnly): DOMRectReadOnly {
  const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)]
  const right = Math.min(one.right, other.right)
  const bottom = Math.min(one.bottom, other.bottom)
  return new DOMRectReadOnly(left, top, Math.max(0, right - left), Math.max(0, bottom - top))
}

function toFaded({ opacity }: CSSStyleDeclaration, onto: SVGElement): SVGElement {
  if (opacity === '1') return onto
  const faded = createSvg('g', { opacity })
  onto.append(faded)
  return faded
}

function renderText(node: Text, parent: Element, press: SvgTarget): void {
  const style = getComputedStyle(parent)
  const font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  const { colour, opacity } = readColour(style.color)
  const isCut = style.textOverflow === 'ellipsis' && parent.scrollWidth > parent.clientWidth
  for (const { text, place } of toTextLines(node)) {
    if (!isSeen(place, press)) continue
    const measure = (part: string) => press.measure(part, font).width
    const room = parent.getBoundingClientRect().right - place.left
    const shown = isCut ? toFitting(text, Math.max(room, 0) + 1, measure) : text
    const { x, y } = toPlace(place, press)
    const printed = createSvg('text', {
      x,
      y: y + press.measure(text, font).ascent,
      fill: colour,
      'fill-opacity': opacity,
      'font-size': style.fontSize.replace('px', ''),
      'font-weight': style.fontWeight,
      ...(style.letterSpacing !== 'normal' && {
        'letter-spacing': style.letterSpacing.replace('px', ''),
      }),
      ...(/mono/i.test(style.fontFamily.split(',')[0] ?? '') && { 'font-family': MONO }),
    })
    printed.append(toXmlText(shown))
    press.onto.append(printed)
  }
}

/** The glyph is a `::before` and not in the DOM. */
function renderGlyph(element: Element, press: SvgTarget): void {
  const glyph = element.getAttribute('data-glyph')
  const label = element.firstChild
  const place = label instanceof Text ? toTextLines(label)[0]?.place : undefined
  if (glyph === null || !place || !isSeen(place, press)) return
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(element)
  const style = getComputedStyle(element, '::before')
  const { colour, opacity } = readColour(style.color)
  const font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  const spare = (Number.parseFloat(style.width) || 0) - press.measure(glyph, font).width
  const { y } = toPlace(place, press)
  const printed = createSvg('text', {
    x:
      element.getBoundingClientRect().x -
      press.origin.x +
      (style.textAlign === 'center' ? spare / 2 : 0),
    y: y + press.measure(glyph, `${fontWeight} ${fontSize} ${fontFamily}`).ascent,
    fill: colour,
    'fill-opacity': opacity,
    'font-size': style.fontSize.replace('px', ''),
  })
  printed.append(toXmlText(glyph))
  press.onto.append(printed)
}

function toTextLines(node: Text): { text: string; place: DOMRectReadOnly }[] {
  const range = document.createRange()
  const lines: { text: string; place: DOMRectReadOnly }[] = []
  for (const { index, 0: word } of node.data.matchAll(/\S+\s*/g)) {
    range.setStart(node, index)
    range.setEnd(node, index + word.length)
    const place = range.getClientRects()[0]
    const last = lines.at(-1)
    if (!place) continue
    if (last && Math.abs(last.place.y - place.y) < place.height / 2) last.text += word
    else lines.push({ text: word, place })
  }
  return lines.map(({ text, place }) => ({ text: text.replace(/\s+/g, ' ').trimEnd(), place }))
}

const SIDES = ['top', 'right', 'bottom', 'left'] as const

type Edge = { width: number; colour: string; opacity: number; isDashed: boolean }

function renderBackground(
  style: CSSStyleDeclaration,
  place: DOMRectReadOnly,
  onto: SVGElement,
): void {
  const ground = readColour(style.backgroundColor)
  const edges = SIDES.map((side) => toEdge(style, side))
  const [first] = edges
  const isFramed = first !== undefined && edges.every((edge) => isSame(edge, first))
  const frame = isFramed && first.width > 0 ? first : null
  if (ground.opacity > 0 || frame) {
    const inset = frame ? frame.width / 2 : 0
    const { x, y, width, height } = place
    if (width > 2 * inset && height > 2 * inset) {
      onto.append(
        createSvg('rect', {
          x: x + inset,
          y: y + inset,
          width: width - 2 * inset,
          height: height - 2 * inset,
          rx: toRadius(style, Math.min(width, height)),
          fill: ground.opacity === 0 ? 'none' : ground.colour,
          'fill-opacity': ground.opacity,
          ...(frame && toStroke(frame)),
        }),
      )
    }
  }
  if (frame) return
  for (const [index, edge] of edges.entries()) {
    if (edge.width > 0) onto.append(toLine(edge, SIDES[index] ?? 'top', place))
  }
}

function toEdge(style: CSSStyleDeclaration, side: (typeof SIDES)[number]): Edge {
  const paint = readColour(style.getPropertyValue(`border-${side}-color`))
  const width = Number.parseFloat(style.getPropertyValue(`border-${side}-width`)) || 0
  const isDashed = style.getPropertyValue(`border-${side}-style`) === 'dashed'
  return { ...paint, width: paint.opacity === 0 ? 0 : width, isDashed }
}

const isSame = (one: Edge, other: Edge) =>
  one.width === other.width && one.colour === other.colour && one.isDashed === other.isDashed

const toStroke = ({ colour, opacity, width, isDashed }: Edge) => ({
  stroke: colour,
  'stroke-opacity': opacity,
  'stroke-width': width,
  ...(isDashed && { 'stroke-dasharray': '4 3' }),
})

function toLine(edge: Edge, side: (typeof SIDES)[number], place: DOMRectReadOnly): SVGElement {
  const { left, right, top, bottom } = place
  const half = edge.width / 2
  const ends = {
    top: { x1: left, x2: right, y1: top + half, y2: top + half },
    bottom: { x1: left, x2: right, y1: bottom - half, y2: bottom - half },
    left: { x1: left + half, x2: left + half, y1: top, y2: bottom },
    right: { x1: right - half, x2: right - half, y1: top, y2: bottom },
  }
  return createSvg('line', { ...ends[side], ...toStroke(edge) })
}

function toRadius(style: CSSStyleDeclaration, size: number): number {
  const written = style.borderTopLeftRadius
  const radius = Number.parseFloat(written) || 0
  return Math.min(written.includes('%') ? (radius / 100) * size : radius, size / 2)
}

/** Allowed elements. Scripts, images, foreign content and links are not. */
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

/** Keeps ids unique across the drawings of a file. */
export function createSvgRenderer() {
  let named = 0
  return function printSvg(svg: SVGSVGElement, place: DOMRectReadOnly): SVGElement {
    const names = new Map<string, string>()
    const toReference = (id: string) => {
      if (svg.querySelector(`#${CSS.escape(id)}`) === null) return null
      const name = names.get(id) ?? `part${++named}`
      names.set(id, name)
      return name
    }
    const print = (element: Element, within: SvgStyle): SVGElement | null => {
      if (!KNOWN.has(element.localName)) return null
      if (!DEFINITIONS.has(element.localName) && isUnseen(element)) return null
      const { written, look } = toSvgStyle(element, within, toReference)
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
    const printed = print(svg, INITIAL_STYLE) ?? createSvg('g')
    for (const side of ['x', 'y', 'width', 'height'] as const) {
      printed.setAttribute(side, String(Math.round(place[side] * 100) / 100))
    }
    if (getComputedStyle(svg).overflow === 'visible') printed.setAttribute('overflow', 'visible')
    return printed
  }
}

/** Recharts leaves meaningless geometry attributes on some paths. */
const OF_PATHS = ['d', 'transform']

const toGeometry = (element: Element): Record<string, string> =>
  Object.fromEntries(
    (element.localName === 'path' ? OF_PATHS : GEOMETRY).flatMap((name) => {
      const value = element.getAttribute(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )

const isMono = (element: Element) =>
  /mono/i.test(getComputedStyle(element).fontFamily.split(',')[0] ?? '')

const isEmptyGroup = ({ localName, childElementCount }: Element) =>
  localName === 'g' && childElementCount === 0
