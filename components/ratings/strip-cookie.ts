import { toKeptName, withBase } from '#lib/contract/base-path.ts'

/** Set once somebody has put away the line of what moved. */
export const STRIP_COOKIE = toKeptName('moved-away')

const YEAR_SECONDS = 365 * 86_400

/** The cookie that keeps it away for a year. */
export const toStripCookie = (): string =>
  `${STRIP_COOKIE}=1; path=${withBase('/')}; max-age=${YEAR_SECONDS}; samesite=lax`
