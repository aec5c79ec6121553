import { withAsof } from '#lib/contract/outlook.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { type RatingsView, readRatingsView, toViewParams } from '#lib/contract/ratings-view.ts'

/**
 * The address text under which a view is kept: filters, order, page size, zone and columns. On which page somebody
 * was, and which rating was open, is no part of it. `columns` are those shown where the address names none.
 */
export function toViewAddress(view: RatingsView, columns: readonly string[] = []): string {
  const named = view.columns.length > 0 ? view.columns : [...columns]
  return toText({ ...view, page: 1, open: null, columns: named })
}

const toText = (view: RatingsView) => toQueryText(toViewParams(view)).slice(1)

const canonical = new Map<string, string>()
const CANONICAL_MAX = 1000

/** What an address comes to: texts that show the same are the same. What cannot be read in one does not count. */
export function toCanonicalAddress(address: string): string {
  const known = canonical.get(address)
  if (known !== undefined) return known
  const text = toViewAddress(readRatingsView(new URLSearchParams(address)).query)
  if (canonical.size >= CANONICAL_MAX) canonical.clear()
  canonical.set(address, text)
  return text
}

/**
 * The page's address of a saved view, as it was kept: what of it cannot be read any more, the page says. One that was
 * saved at no instant is shown at that where the reader stands (`asof` in seconds; null is now).
 */
export function toViewHref(address: string, asof: number | null = null): string {
  const params = new URLSearchParams(address)
  return `/${toQueryText(params.has('asof') ? params : withAsof(params, asof))}`
}
