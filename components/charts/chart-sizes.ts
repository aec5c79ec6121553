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

export const COMPARE_HEIGHT = 300

export const FIGURE_CHROME_PX = 264
