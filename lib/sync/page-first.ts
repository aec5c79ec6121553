import type { ServicePage } from '#lib/upstream/upstream.ts'
import { selectOrdering, toIds, toRatings } from './page-order.ts'

/**
 * Whether an address without number shows page 1, or the page before it, so that the service numbers from 0. `first` is
 * page 1 as it was just read. One request, and a second where it is not page 1.
 */
export async function selectFirstPage(
  first: ServicePage,
  read: (page: 1 | 'default') => Promise<ServicePage>,
): Promise<0 | 1> {
  const unnumbered = await read('default')
  if (unnumbered.rows.length === 0 || isOnTop(first, unnumbered)) return 1
  if (first.rows.length === 0) return 0
  // A page of new rows may have come in between: then page 1 begins by now as the page without number did.
  const again = await read(1)
  return isOnTop(unnumbered, again) || !isBefore(unnumbered, again) ? 1 : 0
}

/** Whether a page's first row stands in the upper half of another page. */
function isOnTop(page: ServicePage, other: ServicePage): boolean {
  const [top] = toIds(page)
  const index = top === undefined ? -1 : toIds(other).indexOf(top)
  return index >= 0 && index * 2 <= other.rows.length
}

/** Whether one page goes before another in the order that the other is in. */
function isBefore(page: ServicePage, other: ServicePage): boolean {
  const { order, key } = selectOrdering(other) ?? { order: 'newest', key: 'id' }
  if (order === 'none') return true
  const name = key === 'created_at' ? 'created_at' : 'id'
  const [first, second] = [page, other].map((of) => toRatings(of).map((row) => row[name]))
  if (!first || !second) return false
  return order === 'newest'
    ? Math.max(...first) > Math.max(...second)
    : Math.min(...first) < Math.min(...second)
}
