/** What stands around the panes of the figure: two rows of controls above, the paragraphs below. In pixels. */
export const FIGURE_CHROME_PX = 264
