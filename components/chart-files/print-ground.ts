import { toPaint } from './presentation.ts'
import { createSvg } from './press.ts'

const SIDES = ['top', 'right', 'bottom', 'left'] as const

type Edge = { width: number; colour: string; opacity: number; isDashed: boolean }

/** The ground and the edges of an element that stands there. */
export function printGround(
  style: CSSStyleDeclaration,
  place: DOMRectReadOnly,
  onto: SVGElement,
): void {
  const ground = toPaint(style.backgroundColor)
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
          ...{ x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset },
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
  const paint = toPaint(style.getPropertyValue(`border-${side}-color`))
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

/** A radius in percent is of the element's own size. */
function toRadius(style: CSSStyleDeclaration, size: number): number {
  const written = style.borderTopLeftRadius
  const radius = Number.parseFloat(written) || 0
  return Math.min(written.includes('%') ? (radius / 100) * size : radius, size / 2)
}
