import { COMPARE_HEIGHT } from '#components/charts/chart-sizes.ts'
import { type PaneScale, toPaneScale } from '#components/charts/scales.ts'
import type { ComparedLine } from './comparison.ts'

export type PlacedLines = {
  lines: readonly ComparedLine[]
  height: number
  scale: PaneScale
}

export const toPlaced = (lines: readonly ComparedLine[]): PlacedLines => ({
  lines,
  height: COMPARE_HEIGHT,
  scale: COMPARE_SCALE,
})

const COMPARE_SCALE = toPaneScale({
  height: COMPARE_HEIGHT,
  domain: [1, 5],
  padding: { top: 8, bottom: 8 },
  showsTime: true,
})

export type LineShape = 'dot' | 'square' | 'triangle' | 'diamond' | 'cross' | 'ring'

export type LineStyle = { colour: string; dashes: string | undefined; shape: LineShape }

const LINE_STYLES: readonly LineStyle[] = [
  { colour: 'var(--compared-1)', dashes: undefined, shape: 'dot' },
  { colour: 'var(--compared-2)', dashes: '7 3', shape: 'square' },
  { colour: 'var(--compared-3)', dashes: '2 2.5', shape: 'triangle' },
  { colour: 'var(--compared-4)', dashes: '10 3 2 3', shape: 'diamond' },
  { colour: 'var(--compared-5)', dashes: '4 3', shape: 'cross' },
  { colour: 'var(--compared-6)', dashes: '12 4', shape: 'ring' },
]

const FIRST: LineStyle = { colour: 'var(--compared-1)', dashes: undefined, shape: 'dot' }

export const lineStyle = (place: number): LineStyle =>
  LINE_STYLES[place % LINE_STYLES.length] ?? FIRST
