import { readOutlook, withAsof } from '#lib/contract/outlook.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { stepFrom } from './time-steps.ts'

/** By how many days the page came to where it stands; null where it came there otherwise. */
let stepped: number | null = null
export const lastStep = (): number | null => stepped

/**
 * Rewinds the page in sight to an instant (seconds since 1970; null is now) by its address. `push` leaves a step to come
 * back to, `replace` does not. Another instant has other rows: the pages of a table begin again.
 */
export function travelTo(asof: number | null, how: 'push' | 'replace'): void {
  stepped = null
  const { pathname, search } = window.location
  const params = new URLSearchParams(search)
  params.delete('page')
  const href = `${pathname}${toQueryText(withAsof(params, asof))}`
  if (href === pathname + search) return
  if (how === 'push') window.history.pushState(null, '', href)
  else window.history.replaceState(null, '', href)
}

/**
 * Goes so many days on or back from where the page stands at this moment: what is drawn may lag behind, and quick steps
 * all count. `now` is in seconds since 1970. Leaving now leaves a step to come back to, going on from there does not.
 */
export function travelBy(days: number, now: number): void {
  const { asof, tz: zone } = readOutlook(new URLSearchParams(window.location.search))
  travelTo(stepFrom({ asof, now, zone }, days), asof === null ? 'push' : 'replace')
  stepped = days
}
