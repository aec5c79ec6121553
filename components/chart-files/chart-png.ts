import type { ChartDrawing } from './chart-svg.ts'

/** So many pixels of the picture for one of the page. */
const SCALE = 2

/** A drawing as a picture of twice its size. Throws where a browser draws none. */
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
    if (!context) throw new Error('There is no canvas to draw on.')
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (!picture) throw new Error('The canvas gave no picture.')
    return picture
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** A picture is drawn apart from the page and knows none of its fonts: this one has to travel with it. */
function withFont(markup: string, font: string | null): string {
  if (font === null) return markup
  const style = `<style>@font-face{font-family:Geist;font-weight:100 900;src:url(${font})}</style>`
  return markup.replace(/^<svg[^>]*>/, (opening) => opening + style)
}

/** The font of the page as a data address. */
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
