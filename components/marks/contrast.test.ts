import { describe, expect, it } from 'vitest'
import {
  type ColorVision,
  readThemes,
  SIGHTS,
  type Theme,
  toContrast,
  toDistance,
} from '#testing/components/colour.ts'

const THEMES = readThemes()
const STEPS = [1, 2, 3, 4, 5]
const GROUNDS = ['paper', 'surface', 'sunk', 'accent-bg']
const TEXTS = [
  ...['ink', 'ink-2', 'ink-3', 'accent', 'good'],
  ...STEPS.map((step) => `rating-text-${step}`),
]
const SHAPES = ['edge', ...STEPS.map((step) => `rating-${step}`)]
const FILLED = [
  ['surface', 'ink'],
  ['surface', 'ink-2'],
  ['surface', 'accent'],
] as const

const TEXT_LEAST = 4.5
const SHAPE_LEAST = 3
const DISTANCE_LEAST = 10

const colour = (theme: Theme, token: string) => {
  const hex = theme[token]
  if (!hex) throw new Error(`No colour ${token}`)
  return hex
}

const contrast = (theme: Theme, token: string, ground: string) =>
  toContrast(colour(theme, token), colour(theme, ground))

const pairs = STEPS.flatMap((step) =>
  STEPS.filter((other) => other > step).map((other) => [step, other] as const),
)

describe.each(Object.entries(THEMES))('the colours of the %s theme', (_, theme) => {
  it.each(TEXTS)('%s can be read on every ground', (token) => {
    for (const ground of GROUNDS) {
      expect(contrast(theme, token, ground), ground).toBeGreaterThanOrEqual(TEXT_LEAST)
    }
  })

  it.each(SHAPES)('%s can be seen on every ground', (token) => {
    for (const ground of GROUNDS) {
      expect(contrast(theme, token, ground), ground).toBeGreaterThanOrEqual(SHAPE_LEAST)
    }
  })

  it.each(FILLED)('%s can be read on %s', (text, ground) => {
    expect(contrast(theme, text, ground)).toBeGreaterThanOrEqual(TEXT_LEAST)
  })

  it.each(Object.keys(SIGHTS) as ColorVision[])(
    'no two steps of the scale look alike: %s',
    (sight) => {
      for (const [one, other] of pairs) {
        const [a, b] = [one, other].map((step) => colour(theme, `rating-${step}`))
        expect(toDistance(a ?? '', b ?? '', sight), `${one} ${other}`).toBeGreaterThanOrEqual(
          DISTANCE_LEAST,
        )
      }
    },
  )
})
