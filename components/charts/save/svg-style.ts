export type SvgStyle = Record<string, string>

export const INITIAL_STYLE: SvgStyle = {
  fill: '#000000',
  'fill-opacity': '1',
  'fill-rule': 'nonzero',
  'font-size': '16',
  'font-style': 'normal',
  'font-weight': '400',
  'paint-order': 'normal',
  stroke: 'none',
  'stroke-dasharray': 'none',
  'stroke-dashoffset': '0',
  'stroke-linecap': 'butt',
  'stroke-linejoin': 'miter',
  'stroke-opacity': '1',
  'stroke-width': '1',
  'text-anchor': 'start',
  'dominant-baseline': 'auto',
}

const OWN: SvgStyle = { opacity: '1', 'vector-effect': 'none', 'clip-path': 'none', mask: 'none' }
const OF_STOPS: SvgStyle = { 'stop-color': '', 'stop-opacity': '' }

const COLOUR_PROPERTIES = new Set(['fill', 'stroke', 'stop-color'])
const ID = /^url\(["']?#(.*?)["']?\)/

/** Returns null if the referenced element is not part of the drawing. */
type ToReference = (id: string) => string | null

export function toSvgStyle(
  element: Element,
  within: SvgStyle,
  toReference: ToReference,
): { written: SvgStyle; look: SvgStyle } {
  const style = getComputedStyle(element)
  const own = element.localName === 'stop' ? OF_STOPS : OWN
  const written: SvgStyle = {}
  const look = { ...within }
  for (const name of [...Object.keys(INITIAL_STYLE), ...Object.keys(own)]) {
    if (name.endsWith('-opacity')) continue
    for (const [part, value] of toValues(name, style, toReference)) {
      if ((part in within ? within[part] : own[part]) === value) continue
      written[part] = value
      if (part in within) look[part] = value
    }
  }
  return { written, look }
}

function toValues(
  name: string,
  style: CSSStyleDeclaration,
  toReference: ToReference,
): readonly (readonly [string, string])[] {
  const value = style.getPropertyValue(name)
  const reference = ID.exec(value)?.[1]
  if (reference !== undefined) {
    const renamed = toReference(unescapeId(reference))
    return [[name, renamed === null ? 'none' : `url(#${renamed})`]]
  }
  if (!COLOUR_PROPERTIES.has(name)) return [[name, value.replaceAll('px', '') || (OWN[name] ?? '')]]
  const opacityName = name === 'stop-color' ? 'stop-opacity' : `${name}-opacity`
  if (value === 'none') return [[name, 'none']]
  const { colour, opacity } = readColour(value)
  const shown = Number(style.getPropertyValue(opacityName) || 1) * opacity
  if (shown === 0 && name !== 'stop-color') return [[name, 'none']]
  return [
    [name, colour],
    [opacityName, String(Math.round(shown * 1000) / 1000)],
  ]
}

const unescapeId = (id: string) => id.replace(/\\(.)/g, '$1')

/** Notations that `parseColour` cannot read are drawn on a canvas and sampled. */
export function readColour(computed: string): { colour: string; opacity: number } {
  const parsed = parseColour(computed)
  if (parsed) return parsed
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) return { colour: '#808080', opacity: 1 }
  context.fillStyle = computed
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 255] = context.getImageData(0, 0, 1, 1).data
  return (
    parseColour(`rgba(${red}, ${green}, ${blue}, ${alpha / 255})`) ?? {
      colour: '#808080',
      opacity: 1,
    }
  )
}

/** `opacity` is 0 to 1. */
type Colour = { colour: string; opacity: number }

const NUMBER = String.raw`([\d.]+(?:e-?\d+)?)`
const RGB = new RegExp(
  String.raw`^rgba?\(${NUMBER},? ${NUMBER},? ${NUMBER}(?:(?:,| \/) ${NUMBER})?\)$`,
)
const SRGB = new RegExp(String.raw`^color\(srgb ${NUMBER} ${NUMBER} ${NUMBER}(?: \/ ${NUMBER})?\)$`)

/** Null for notations other than `rgb(…)`, `rgba(…)` and `color(srgb …)`. */
export function parseColour(computed: string): Colour | null {
  const legacy = RGB.exec(computed)
  const match = legacy ?? SRGB.exec(computed)
  if (!match) return null
  const scale = legacy ? 1 : 255
  const [red, green, blue] = match.slice(1, 4).map((part) => toHex(Number(part) * scale))
  return { colour: `#${red}${green}${blue}`, opacity: Number(match[4] ?? 1) }
}

const toHex = (level: number) =>
  Math.max(0, Math.min(255, Math.round(level)))
    .toString(16)
    .padStart(2, '0')
