/** A colour as every reader of SVG knows it, and how opaque it is, 0 to 1. */
export type Paint = { colour: string; opacity: number }

const NUMBER = String.raw`([\d.]+(?:e-?\d+)?)`
const RGB = new RegExp(
  String.raw`^rgba?\(${NUMBER},? ${NUMBER},? ${NUMBER}(?:(?:,| \/) ${NUMBER})?\)$`,
)
const SRGB = new RegExp(String.raw`^color\(srgb ${NUMBER} ${NUMBER} ${NUMBER}(?: \/ ${NUMBER})?\)$`)

/** A colour as a browser computes it (`rgb(…)`, `rgba(…)`, `color(srgb …)`); null where it is written otherwise. */
export function parsePaint(computed: string): Paint | null {
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
