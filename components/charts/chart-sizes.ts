/** Pixels. Separate from the panes, so that placeholders do not load them. */
export const PANE_HEIGHTS = { consensus: 320, prediction: 104, trend: 96 } as const

export const TITLE_HEIGHT = 26

export const PANES_HEIGHT =
  PANE_HEIGHTS.consensus + PANE_HEIGHTS.prediction + PANE_HEIGHTS.trend + 3 * TITLE_HEIGHT

const NAMED_FROM = 640

export const WIDE_ONLY = '@max-[640px]:hidden'
export const NARROW_ONLY = '@min-[640px]:hidden'

/** Pixels; used until the actual width is known. */
export const WIDE_WIDTH = 1050
export const NARROW_WIDTH = 296

export const toAxisWidth = (width: number): number => (width < NAMED_FROM ? 48 : 112)

export const toReadingLeft = ({ width, left }: { width: number; left: number }): number =>
  width < NAMED_FROM ? 0 : left

export const RIGHT_MARGIN = 56

const OVERLAY_HEIGHT = 300
const SMALL_HEIGHT = 96

export const SMALL_TITLE = 24

const TIME_HEIGHT = 23

export type CompareMode = 'overlay' | 'multiples'

export const toPaneHeights = (mode: CompareMode, count: number): number[] =>
  mode === 'overlay'
    ? [OVERLAY_HEIGHT]
    : Array.from({ length: Math.max(1, count) }, (_, index) =>
        index === Math.max(1, count) - 1 ? SMALL_HEIGHT + TIME_HEIGHT : SMALL_HEIGHT,
      )

export function toChartHeight(mode: CompareMode, count: number): number {
  const heights = toPaneHeights(mode, count)
  const titles = mode === 'overlay' ? 0 : heights.length * SMALL_TITLE
  return heights.reduce((sum, height) => sum + height, titles)
}

export const FIGURE_CHROME_PX = 264
