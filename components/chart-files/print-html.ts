import { toFitting, toXmlText } from './plain-text.ts'
import { toPaint } from './presentation.ts'
import { createSvg, isUnseen, type Measure, MONO } from './press.ts'
import { printGround } from './print-ground.ts'
import type { createSvgPrinter } from './print-svg.ts'

export type Press = {
  /** The corner of the page that is the corner of the print. */
  origin: { x: number; y: number }
  /** What of the page is seen: whatever an element cuts off is not printed. */
  seen: DOMRectReadOnly
  /** Takes what is printed. */
  onto: SVGElement
  measure: Measure
  printSvg: ReturnType<typeof createSvgPrinter>
}

/** Prints what an element shows: grounds and edges, texts as texts, drawings as they are. */
export function printHtml(element: Element, press: Press): void {
  if (isUnseen(element)) return
  const rect = element.getBoundingClientRect()
  if (element instanceof SVGSVGElement) {
    if (isSeen(rect, press)) press.onto.append(press.printSvg(element, toPlace(rect, press)))
    return
  }
  const style = getComputedStyle(element)
  const within = { ...press, onto: toFaded(style, press.onto) }
  if (isSeen(rect, press)) printGround(style, toPlace(rect, press), within.onto)
  if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
    within.seen = toCommon(rect, press.seen)
  }
  for (const child of element.childNodes) {
    if (child instanceof Element) printHtml(child, within)
    else if (child instanceof Text && child.data.trim() !== '') printText(child, element, within)
  }
}

const toPlace = ({ x, y, width, height }: DOMRectReadOnly, { origin }: Press) =>
  new DOMRectReadOnly(x - origin.x, y - origin.y, width, height)

/** By its middle: what stands half outside is still meant. */
function isSeen({ left, right, top, bottom }: DOMRectReadOnly, { seen }: Press): boolean {
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

function printText(node: Text, parent: Element, press: Press): void {
  const style = getComputedStyle(parent)
  const font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  const { colour, opacity } = toPaint(style.color)
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

/** The lines that a text is set in, and where on the page each begins. */
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
