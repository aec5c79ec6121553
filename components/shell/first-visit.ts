import { formatRelative } from '#components/format/instants.ts'
import { ENGLISH_FORMATS, type Formats } from '#components/format/numbers.ts'
import { toKeptCookie } from '#components/ui/kept-cookie.ts'
import type { Status } from '#lib/contract/answers/status.ts'
import { toKeptName } from '#lib/contract/base-path.ts'

/** Set once somebody has put the line for newcomers away. */
export const FIRST_VISIT_COOKIE = toKeptName('visited')

/** The cookie that keeps the line away for a year. */
export const toVisitedCookie = (): string => toKeptCookie(FIRST_VISIT_COOKIE, '1')

/** What the line is made of; `newest` is when the newest rating was posted, in seconds since 1970. */
export type FirstVisit = {
  service: Status['service']
  symbols: number
  users: number
  newest: number
  now: number
}

/** What these ratings are, whose, and how fresh, for somebody who has never heard of a rating. */
export function toFirstVisitText(
  { service, symbols, users, newest, now }: FirstVisit,
  { formatCounted, formatCount }: Formats = ENGLISH_FORMATS,
): string {
  const host = toHost(service)
  const who = formatCounted(users, 'user') + (host === null ? '' : ` of ${host}`)
  const verb = users === 1 ? 'thinks' : 'think'
  const what = symbols === 1 ? 'one symbol' : `${formatCount(symbols)} shares and other symbols`
  const scale = `${verb} of ${what}, from Strong Sell to Strong Buy`
  const fresh = `The newest came ${formatRelative(newest, now)}.`
  return service.invented
    ? `These ratings are invented, to try the dashboard with: what ${who} ${scale}. ${fresh}`
    : `Ratings say what ${who} ${scale}. ${fresh}`
}

/** The line of a demonstration. */
export const toDemoText = (
  { symbols, users }: Pick<FirstVisit, 'symbols' | 'users'>,
  { formatCounted }: Formats = ENGLISH_FORMATS,
): string =>
  `Demo data: ${formatCounted(users, 'fictional user')} ${users === 1 ? 'rates' : 'rate'} ${formatCounted(symbols, 'stock')}.`

/** The name that a reader may know; a service of ours has none. */
function toHost({ kind, address }: Status['service']): string | null {
  return kind === 'remote' && URL.canParse(address) ? new URL(address).hostname : null
}
