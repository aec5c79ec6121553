/** Heights in pixels. They stand apart from the panes so that what holds their place need not load them. */
export const PANE_HEIGHTS = { consensus: 236, prediction: 136, trend: 148 } as const

/** A pane's title, the same height whatever stands in it. */
export const TITLE_HEIGHT = 26

/** All three panes with their titles: what a placeholder and the table beside them are as high as. */
export const PANES_HEIGHT =
  PANE_HEIGHTS.consensus + PANE_HEIGHTS.prediction + PANE_HEIGHTS.trend + 3 * TITLE_HEIGHT

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

/** What stays free behind the last instant, so that nothing that is marked there is cut off. */
export const RIGHT_MARGIN = 12
