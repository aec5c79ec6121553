import { expect, it } from 'vitest'
import { parseColour } from './svg-style.ts'

it.each([
  ['rgb(23, 24, 28)', '#17181c', 1],
  ['rgba(0, 0, 0, 0)', '#000000', 0],
  ['rgba(10, 88, 116, 0.45)', '#0a5874', 0.45],
  ['rgb(255 255 255 / 0.5)', '#ffffff', 0.5],
  ['color(srgb 1 0.5 0 / 0.25)', '#ff8000', 0.25],
  ['color(srgb 0.2 1e-7 0)', '#330000', 1],
])('%s is a colour that any reader of SVG knows', (computed, colour, opacity) => {
  expect(parseColour(computed)).toEqual({ colour, opacity })
})

it('what is written otherwise is not guessed at', () => {
  for (const text of ['', 'none', 'oklch(0.5 0.1 20)', 'var(--ink)', 'rgb(1, 2)']) {
    expect(parseColour(text)).toBeNull()
  }
})
