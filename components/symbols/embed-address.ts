import { PANES_HEIGHT } from '#components/charts/pane-sizes.ts'

/** A symbol's chart alone, for the frames of other pages. */
export const toEmbedPath = (symbol: string): string =>
  `/embed/symbols/${encodeURIComponent(symbol)}`

/** What stands around its panes, in pixels: the caption above, the rule's line below, the margins. */
const CAPTION_PX = 120

/** How high a frame has to be, in pixels, so that nothing scrolls. */
export const EMBED_HEIGHT = PANES_HEIGHT + CAPTION_PX

/** The parameter of the theme, which only embeds take: the pages of the dashboard have the reader's own. */
export const THEME_PARAMETER = 'theme'
