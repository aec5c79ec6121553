/** The time axis above the rows, and a row: glyphs over a bar. */
export const AXIS_PX = 20
export const ROW_PX = 26
/** The bar's place in its row. */
export const BAR_TOP_PX = 14
export const BAR_PX = 8
/** How many rows are drawn before more are asked for. */
export const ROWS_FIRST = 12
/** What stands in the place of the chart until it is there: the first rows and the line of legend. */
export const CALLS_PX = AXIS_PX + ROWS_FIRST * ROW_PX + 26
