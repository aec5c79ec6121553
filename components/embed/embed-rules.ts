/** A frame may stand on a wall: what it shows live is asked for again, though seldom. */
export const EMBED_LIVE_MS = 5 * 60_000

/** The parameter of the theme, which only embeds take: the pages of the dashboard have the reader's own. */
export const THEME_PARAMETER = 'theme'
