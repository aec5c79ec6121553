/** The parameter of an address that lets somebody in who cannot sign in. */
export const LINK_PARAMETER = 'link'

/**
 * The request header with the secret of a feed's address ({@link LINK_PARAMETER}), which stands in no other address and in no log;
 * nobody outside can set it.
 */
export const FEED_LINK = 'x-feed-link'
