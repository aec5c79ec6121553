/** Heights in pixels. They stand apart from the panes so that what holds their place need not load them. */
export const PANE_HEIGHTS = { consensus: 232, prediction: 132, counts: 112 } as const

const TITLE = 26

/** All three panes with their titles: what a placeholder and the table beside them are as high as. */
export const PANES_HEIGHT =
  PANE_HEIGHTS.consensus + PANE_HEIGHTS.prediction + PANE_HEIGHTS.counts + 3 * TITLE

/** The scale's own column, the same in every pane, so that their time axes stand under one another. */
export const AXIS_WIDTH = 46
