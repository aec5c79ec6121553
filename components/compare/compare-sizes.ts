/** Heights in pixels. They stand apart from the drawing so that what holds its place need not load it. */
const OVERLAY_HEIGHT = 300
const SMALL_HEIGHT = 96

/** A pane's title, above each of several. */
export const SMALL_TITLE = 24

/** What the time axis below the last pane takes. */
const TIME_HEIGHT = 23

export type CompareMode = 'overlay' | 'multiples'

/** The heights of the panes, top to bottom; `count` symbols are drawn. */
export const toPaneHeights = (mode: CompareMode, count: number): number[] =>
  mode === 'overlay'
    ? [OVERLAY_HEIGHT]
    : Array.from({ length: Math.max(1, count) }, (_, index) =>
        index === Math.max(1, count) - 1 ? SMALL_HEIGHT + TIME_HEIGHT : SMALL_HEIGHT,
      )

/** The whole drawing. */
export function toChartHeight(mode: CompareMode, count: number): number {
  const heights = toPaneHeights(mode, count)
  const titles = mode === 'overlay' ? 0 : heights.length * SMALL_TITLE
  return heights.reduce((sum, height) => sum + height, titles)
}
