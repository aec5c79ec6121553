import { readFileSync } from 'node:fs'

export type Theme = Readonly<Record<string, string>>

export function readThemes(): { light: Theme; dark: Theme } {
  const css = readFileSync('app/globals.css', 'utf8')
  const root = css.slice(css.indexOf(':root {'), css.indexOf('@theme'))
  const [light = '', dark = ''] = root.split('@variant dark')
  return { light: readTokens(light), dark: { ...readTokens(light), ...readTokens(dark) } }
}

const readTokens = (css: string): Theme =>
  Object.fromEntries(
    [...css.matchAll(/--([a-z0-9-]+):\s*(#[0-9a-f]{6})\b/g)].map(([, name, hex]) => [name, hex]),
  )

type Rgb = readonly [number, number, number]

/** Linear light, 0 to 1. */
function toLinear(hex: string): Rgb {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

const toLuminance = ([red, green, blue]: Rgb) => 0.2126 * red + 0.7152 * green + 0.0722 * blue

/** WCAG 2 contrast, 1 to 21. */
export function toContrast(one: string, other: string): number {
  const [a, b] = [one, other].map((hex) => toLuminance(toLinear(hex)) + 0.05)
  return Math.max(a ?? 0, b ?? 0) / Math.min(a ?? 1, b ?? 1)
}

/** Machado, Oliveira and Fernandes (2009), in linear light. */
export const SIGHTS = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  deuteranopia: [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
  tritanopia: [
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039,
  ],
} as const

export type ColorVision = keyof typeof SIGHTS

/** CIE 1976 ΔE: 2 is barely visible side by side, 10 at a glance. */
export function toDistance(one: string, other: string, vision: ColorVision): number {
  const [a, b] = [one, other].map((hex) => toLab(toSeen(toLinear(hex), vision)))
  return Math.hypot(...(a ?? []).map((value, index) => value - (b?.[index] ?? 0)))
}

function toSeen([red, green, blue]: Rgb, vision: ColorVision): Rgb {
  const row = (at: number) => {
    const [r = 0, g = 0, b = 0] = SIGHTS[vision].slice(at, at + 3)
    return Math.min(1, Math.max(0, r * red + g * green + b * blue))
  }
  return [row(0), row(3), row(6)]
}

function toLab([red, green, blue]: Rgb): Rgb {
  const x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
  const y = toLuminance([red, green, blue])
  const z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
  const [fx, fy, fz] = [x, y, z].map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116))
  return [116 * (fy ?? 0) - 16, 500 * ((fx ?? 0) - (fy ?? 0)), 200 * ((fy ?? 0) - (fz ?? 0))]
}
