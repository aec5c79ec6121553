import { type ChartFacts, toSource } from './chart-facts.ts'
import { createSvgRenderer, renderHtml } from './html-to-svg.ts'
import { createMeasure, createSvg, SANS, toLines, toXmlText } from './svg-elements.ts'
import { readColour } from './svg-style.ts'

type ChartDrawing = { markup: string; width: number; height: number }

const LEGEND = 'legend'

function selectPanes(figure: Element): Element[] {
  const panes = [...figure.querySelectorAll('[data-pane]')].filter(
    (pane) => pane.getClientRects().length > 0 && !pane.parentElement?.closest('[data-pane]'),
  )
  return panes.some((pane) => pane.getAttribute('data-pane') !== LEGEND) ? panes : []
}

const MARGIN = 20
const NARROWEST = 320
const LINE = 16

/** Contains no scripts or external references. Null if the figure shows no pane. */
export function toChartSvg(figure: Element, facts: ChartFacts, host: string): ChartDrawing | null {
  const panes = selectPanes(figure)
  const putBack = takeOutUnsaved(panes)
  try {
    return toDrawing(figure, panes, { facts, host })
  } finally {
    putBack()
  }
}

/**
 * Hides `data-unsaved` parts of the legend, so that the rest closes up. Returns a function that
 * restores them.
 */
function takeOutUnsaved(panes: readonly Element[]): () => void {
  const taken = panes
    .filter((pane) => pane.getAttribute('data-pane') === LEGEND)
    .flatMap((pane) => [...pane.querySelectorAll<HTMLElement>('[data-unsaved]')])
  for (const element of taken) element.style.display = 'none'
  return () => {
    for (const element of taken) element.style.removeProperty('display')
  }
}

type ChartCaption = { facts: ChartFacts; host: string }

function toDrawing(
  figure: Element,
  panes: readonly Element[],
  { facts, host }: ChartCaption,
): ChartDrawing | null {
  const frame = toFrame(panes)
  if (frame === null) return null
  const measure = createMeasure()
  const column = Math.max(NARROWEST, frame.width)
  const sizes = (size: number, weight: number) => (text: string) =>
    measure(text, `${weight} ${size}px ${getComputedStyle(figure).fontFamily}`).width
  const set = (text: string, size: number, weight = 400) =>
    toLines(toXmlText(text), column, sizes(size, weight)).map((line) => ({ line, size, weight }))

  const ink = readColour(getComputedStyle(figure).color).colour
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
  const ground = findBackground(figure)

  const root = createSvg('svg', {
    width,
    height,
    viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
    role: 'img',
    'font-family': SANS,
  })
  root.append(
    toNamed('title', `${facts.title}, ${facts.range}`),
    toNamed('desc', `${facts.rule} Source: ${toSource(facts, host)}`),
    createSvg('rect', { width: '100%', height: '100%', fill: ground }),
    ...toTexts(head, { y: MARGIN + 15, step: LINE + 4, ink }),
    renderPanes(panes, frame, top),
    ...toTexts(foot, { y: top + frame.height + 14 + 11, step: LINE, ink }),
  )
  return { markup: new XMLSerializer().serializeToString(root), width, height }
}

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

function renderPanes(panes: readonly Element[], frame: DOMRectReadOnly, top: number): SVGElement {
  const { width, height } = frame
  const onto = createSvg('svg', { x: MARGIN, y: top, width, height })
  const press = {
    origin: frame,
    seen: frame,
    onto,
    measure: createMeasure(),
    printSvg: createSvgRenderer(),
  }
  for (const pane of panes) renderHtml(pane, press)
  return onto
}

function findBackground(figure: Element): string {
  for (let at: Element | null = figure; at; at = at.parentElement) {
    const { colour, opacity } = readColour(getComputedStyle(at).backgroundColor)
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
      x: MARGIN,
      y: at.y + index * at.step,
      fill: at.ink,
      'fill-opacity': opacity,
      'font-size': size,
      'font-weight': weight,
    })
    text.append(line)
    return text
  })

/** Image pixels per CSS pixel. */
const SCALE = 2

/** Throws if the browser cannot draw the image. */
export async function toChartPng({ markup, width, height }: ChartDrawing): Promise<Blob> {
  const drawing = withFont(markup, await loadFont().catch(() => null))
  const address = URL.createObjectURL(new Blob([drawing], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.ceil(width * SCALE)
    canvas.height = Math.ceil(height * SCALE)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('No canvas is available.')
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (!picture) throw new Error('The canvas produced no image.')
    return picture
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** An SVG drawn as an image cannot use the page's fonts, so the font is embedded. */
function withFont(markup: string, font: string | null): string {
  if (font === null) return markup
  const style = `<style>@font-face{font-family:Geist;font-weight:100 900;src:url(${font})}</style>`
  return markup.replace(/^<svg[^>]*>/, (opening) => opening + style)
}

async function loadFont(): Promise<string | null> {
  const address = findFont()
  if (address === null) return null
  const response = await fetch(address)
  if (!response.ok) return null
  const font = await response.blob()
  return await new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(font)
  })
}

const URL_OF = /url\(["']?([^"')]+)["']?\)/

function findFont(): string | null {
  const family = getComputedStyle(document.body).fontFamily.split(',')[0]?.replace(/["']/g, '')
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSFontFaceRule)) continue
      if (rule.style.getPropertyValue('font-family').replace(/["']/g, '') !== family) continue
      const address = URL_OF.exec(rule.style.getPropertyValue('src'))?.[1]
      if (address !== undefined) return new URL(address, sheet.href ?? document.baseURI).href
    }
  }
  return null
}
