import { type CompareMode, SMALL_TITLE, toPaneHeights } from '#components/charts/chart-sizes.ts'
import { type PaneScale, toPaneScale } from '#components/charts/scales.ts'
import { type ComparedLine, type CompareScale, toChangeBound } from './comparison.ts'

export type PlacedLines = {
  lines: readonly ComparedLine[]
  top: number
  height: number
  scale: PaneScale
}

export function toPlaced(
  lines: readonly ComparedLine[],
  mode: CompareMode,
  scale: CompareScale,
): PlacedLines[] {
  const bound = toChangeBound(lines)
  const domain = scale === 'rating' ? ([1, 5] as const) : ([-bound, bound] as const)
  const heights = toPaneHeights(mode, lines.length)
  let next = 0
  return heights.map((height, index) => {
    const top = next + (mode === 'multiples' ? SMALL_TITLE : 0)
    next = top + height
    const showsTime = index === heights.length - 1
    return {
      lines: mode === 'overlay' ? lines : lines.slice(index, index + 1),
      top,
      height,
      scale: toPaneScale({ height, domain, padding: { top: 8, bottom: 8 }, showsTime }),
    }
  })
}

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
