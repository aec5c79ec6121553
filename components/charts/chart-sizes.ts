/** Heights in pixels. They stand apart from the panes so that what holds their place need not load them. */
export const PANE_HEIGHTS = { consensus: 320, prediction: 104, trend: 96 } as const

/** A pane's title, the same height whatever stands in it. */
export const TITLE_HEIGHT = 26

/** All panes with their titles: what a placeholder and the table beside them are as high as. */
export const PANES_HEIGHT =
  PANE_HEIGHTS.consensus + PANE_HEIGHTS.prediction + PANE_HEIGHTS.trend + 3 * TITLE_HEIGHT

/** The pane of look-ups. */
export const ATTENTION_HEIGHT = 116

/** In pixels. */
const NAMED_FROM = 640

/** Classes of what is seen in one kind of drawing only: in a narrow one there is no room for names beside glyphs. */
export const WIDE_ONLY = '@max-[640px]:hidden'
export const NARROW_ONLY = '@min-[640px]:hidden'

/** Widths that a chart is drawn for before its own is known, in pixels: what a laptop and a telephone leave for it. */
export const WIDE_WIDTH = 1050
export const NARROW_WIDTH = 296

/** The scale's own column in a drawing of that width: the same in every pane, so that their times stand in line. */
export const toAxisWidth = (width: number): number => (width < NAMED_FROM ? 48 : 112)

/** Where a reading begins: with the plot, or where there is little room with the drawing. */
export const toReadingLeft = ({ width, left }: { width: number; left: number }): number =>
  width < NAMED_FROM ? 0 : left

/** What stays free behind the last instant: for the axis of prices, and the last values. */
export const RIGHT_MARGIN = 56

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

/** What the look-ups below a comparison take with their title. */
export const COMPARED_ATTENTION_HEIGHT = ATTENTION_HEIGHT + SMALL_TITLE

/** The whole drawing. */
export function toChartHeight(mode: CompareMode, count: number): number {
  const heights = toPaneHeights(mode, count)
  const titles = mode === 'overlay' ? 0 : heights.length * SMALL_TITLE
  return heights.reduce((sum, height) => sum + height, titles)
}

/** What stands around the panes of the figure: two rows of controls above, the paragraphs below. In pixels. */
export const FIGURE_CHROME_PX = 264
