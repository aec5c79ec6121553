import { type ChartFacts, toSource } from './chart-facts.ts'
import { toLines, toXmlText } from './plain-text.ts'
import { toPaint } from './presentation.ts'
import { createMeasure, createSvg, SANS } from './press.ts'
import { printHtml } from './print-html.ts'
import { createSvgPrinter } from './print-svg.ts'

/** A drawing as a document of its own, and its size in pixels. */
export type ChartDrawing = { markup: string; width: number; height: number }

const LEGEND = 'legend'

/** What a figure shows as drawings: the panes of its chart and their legend; none while it shows a table. */
function selectPanes(figure: Element): Element[] {
  const panes = [...figure.querySelectorAll('[data-pane]')].filter(
    (pane) => pane.getClientRects().length > 0 && !pane.parentElement?.closest('[data-pane]'),
  )
  return panes.some((pane) => pane.getAttribute('data-pane') !== LEGEND) ? panes : []
}

const MARGIN = 20
const NARROWEST = 320
const LINE = 16

/**
 * The panes of a figure as they stand on the page, one document with title, range, rule and source around them. Its
 * colours are those of the page's theme, its texts are texts; it refers to nothing outside itself and runs nothing.
 * Null where the figure shows no pane.
 */
export function toChartSvg(figure: Element, facts: ChartFacts, host: string): ChartDrawing | null {
  const panes = selectPanes(figure)
  const putBack = takeOutUnsaved(panes)
  try {
    return toDrawing(figure, panes, { facts, host })
  } finally {
    putBack()
  }
}

/** Takes what is not saved out of the legend, so that the rest closes up; nobody sees a frame of it. */
function takeOutUnsaved(panes: readonly Element[]): () => void {
  const taken = panes
    .filter((pane) => pane.getAttribute('data-pane') === LEGEND)
    .flatMap((pane) => [...pane.querySelectorAll<HTMLElement>('[data-unsaved]')])
  for (const element of taken) element.style.display = 'none'
  return () => {
    for (const element of taken) element.style.removeProperty('display')
  }
}

type Said = { facts: ChartFacts; host: string }

function toDrawing(
  figure: Element,
  panes: readonly Element[],
  { facts, host }: Said,
): ChartDrawing | null {
  const frame = toFrame(panes)
  if (frame === null) return null
  const measure = createMeasure()
  const column = Math.max(NARROWEST, frame.width)
  const sizes = (size: number, weight: number) => (text: string) =>
    measure(text, `${weight} ${size}px ${getComputedStyle(figure).fontFamily}`).width
  const set = (text: string, size: number, weight = 400) =>
    toLines(toXmlText(text), column, sizes(size, weight)).map((line) => ({ line, size, weight }))

  const ink = toPaint(getComputedStyle(figure).color).colour
  const head = [
    ...set(facts.title, 15, 620).map((line) => ({ ...line, opacity: 1 })),
    ...set(`${facts.range} · ${facts.zone}`, 12).map((line) => ({ ...line, opacity: 0.8 })),
  ]
  const foot = [...set(facts.rule, 11), ...set(`Source: ${toSource(facts, host)}`, 11)].map(
    (line) => ({ ...line, opacity: 0.75 }),
  )
  const top = MARGIN + head.length * (LINE + 4) + 8
  const width = column + 2 * MARGIN
  const height = top + frame.height + 14 + foot.length * LINE + MARGIN
  const ground = toGround(figure)

  const root = createSvg('svg', {
    ...{ width, height, viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`, role: 'img' },
    'font-family': SANS,
  })
  root.append(
    toNamed('title', `${facts.title}, ${facts.range}`),
    toNamed('desc', `${facts.rule} Source: ${toSource(facts, host)}`),
    createSvg('rect', { width: '100%', height: '100%', fill: ground }),
    ...toTexts(head, { y: MARGIN + 15, step: LINE + 4, ink }),
    toPrint(panes, frame, top),
    ...toTexts(foot, { y: top + frame.height + 14 + 11, step: LINE, ink }),
  )
  return { markup: new XMLSerializer().serializeToString(root), width, height }
}

/** The least rectangle of the page that holds them all. */
function toFrame(panes: readonly Element[]): DOMRectReadOnly | null {
  if (panes.length === 0) return null
  const rects = panes.map((pane) => pane.getBoundingClientRect())
  const [left, top] = [
    Math.min(...rects.map((one) => one.left)),
    Math.min(...rects.map((one) => one.top)),
  ]
  const right = Math.max(...rects.map((one) => one.right))
  const bottom = Math.max(...rects.map((one) => one.bottom))
  return new DOMRectReadOnly(left, top, right - left, bottom - top)
}

function toPrint(panes: readonly Element[], frame: DOMRectReadOnly, top: number): SVGElement {
  const { width, height } = frame
  const onto = createSvg('svg', { x: MARGIN, y: top, width, height })
  const press = {
    origin: frame,
    seen: frame,
    onto,
    measure: createMeasure(),
    printSvg: createSvgPrinter(),
  }
  for (const pane of panes) printHtml(pane, press)
  return onto
}

/** The first ground below the figure that hides what is behind it. */
function toGround(figure: Element): string {
  for (let at: Element | null = figure; at; at = at.parentElement) {
    const { colour, opacity } = toPaint(getComputedStyle(at).backgroundColor)
    if (opacity > 0.99) return colour
  }
  return '#ffffff'
}

function toNamed(name: 'title' | 'desc', text: string): SVGElement {
  const element = createSvg(name)
  element.append(toXmlText(text))
  return element
}

type SetLine = { line: string; size: number; weight: number; opacity: number }

const toTexts = (lines: readonly SetLine[], at: { y: number; step: number; ink: string }) =>
  lines.map(({ line, size, weight, opacity }, index) => {
    const text = createSvg('text', {
      ...{ x: MARGIN, y: at.y + index * at.step, fill: at.ink, 'fill-opacity': opacity },
      ...{ 'font-size': size, 'font-weight': weight },
    })
    text.append(line)
    return text
  })
