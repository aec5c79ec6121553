import { toKeptCookie } from '#components/ui/kept-cookie.ts'
import { toKeptName } from '#lib/contract/base-path.ts'

/** Set once somebody has put away the line of what moved. */
export const STRIP_COOKIE = toKeptName('moved-away')

/** The cookie that keeps it away for a year. */
export const toStripCookie = (): string => toKeptCookie(STRIP_COOKIE, '1')
