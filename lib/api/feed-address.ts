export const LINK_PARAMETER = 'link'

/** Set by us; incoming values are removed. */
export const FEED_LINK = 'x-feed-link'
