import { expect, test } from '../support/engine-test.ts'
import type { Reader } from '../support/reader.ts'

const PAGES = [
  '/',
  '/symbols',
  '/symbols/AAPL',
  '/users/{user}',
  '/ratings/{rating}',
  '/status',
  '/downloads',
]
const WIDTHS = [390, 1024, 1440]

for (const page of PAGES) {
  test(`no text of ${page} is cut, on a phone, a tablet and a desk`, { tag: '@core' }, async ({
    reader,
  }) => {
    await reader.open(await toPath(reader, page))
    const cut: string[] = []
    for (const width of WIDTHS) {
      await reader.resize(width, 900)
      cut.push(...(await reader.run(findCut, width)))
    }
    expect(cut).toEqual([])
  })
}

async function toPath(reader: Reader, page: string): Promise<string> {
  if (!page.includes('{')) return page
  await reader.open('/about')
  const [rating, user] = await reader.run(async () => {
    const { data } = await (await fetch('/api/ratings?per_page=1')).json()
    return [data[0].id, data[0].user_id]
  }, null)
  return page.replace('{rating}', String(rating)).replace('{user}', String(user))
}

/** Runs in the page. */
async function findCut(width: number): Promise<string[]> {
  await document.fonts.ready
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

  function findBox(element: Element | null): Element | null {
    if (!element) return null
    const { display, overflowX } = getComputedStyle(element)
    if (display !== 'inline' && display !== 'contents') {
      if (overflowX === 'hidden' || overflowX === 'clip') return element
      if (overflowX !== 'visible') return null
    }
    return findBox(element.parentElement)
  }

  function isCut(text: Text): boolean {
    const box = findBox(text.parentElement)
    if (!box) return false
    const range = document.createRange()
    range.selectNodeContents(text)
    const ink = range.getBoundingClientRect()
    const { left, right, width: room, height } = box.getBoundingClientRect()
    if (room <= 1 || height <= 1) return false
    const isFull = box === text.parentElement && box.scrollWidth > box.clientWidth
    return isFull || ink.right > right + 0.5 || ink.left < left - 0.5
  }

  function standsOut(text: Text): boolean {
    const range = document.createRange()
    range.selectNodeContents(text)
    const box = text.parentElement?.closest('dt, dd')
    const right = box?.getBoundingClientRect().right ?? Number.POSITIVE_INFINITY
    return range.getBoundingClientRect().right > right + 0.5
  }

  const cut = new Set<string>()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    const { parentElement, nodeValue } = text
    const words = nodeValue?.trim()
    if (!(text instanceof Text) || !words || !parentElement) continue
    if (parentElement.closest('svg, script, style')) continue
    if (!parentElement.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      continue
    if (parentElement.closest('[title]')?.getAttribute('title')?.includes(words)) continue
    if (isCut(text)) cut.add(`${words} at ${width} px`)
    else if (standsOut(text)) cut.add(`${words} stands out at ${width} px`)
  }
  for (const field of document.querySelectorAll('input')) {
    const { type, value, scrollWidth, clientWidth } = field
    // Both are rounded; the real width may be fractional.
    const isFull = scrollWidth > clientWidth + 1 && field.checkVisibility()
    if (isFull && (type === 'number' || type === 'text'))
      cut.add(`${value} in a field at ${width} px`)
  }
  return [...cut]
}
