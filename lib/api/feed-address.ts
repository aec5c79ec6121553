export const LINK_PARAMETER = 'link'
