import { AppError } from '#lib/contract/faults.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'
import { selectOrdering, toRatings, toRowKeys } from './page-order.ts'

/** The first page of a list, and the number that the service gives it: 0, 1, or null where nothing tells which. */
type FirstPage = { number: 0 | 1 | null; page: ServicePage }

type Finding = {
  read: (number: 0 | 1) => Promise<ServicePage>
  /** Page 1 as it was read shortly before. */
  one: ServicePage | null
  /** Whether the list is known to have more rows than this page. */
  isLonger: (page: ServicePage) => boolean
}

/**
 * Finds the first page by reading pages 0 and 1: two requests, up to five where the service refuses page 0. Throws AppError
 * where neither page can be read.
 */
export async function findFirstPage({ read, one, isLonger }: Finding): Promise<FirstPage> {
  let first = one ?? (await readOrError(read, 1))
  let zero = await readOrError(read, 0)
  if (zero instanceof AppError) {
    if (first instanceof AppError) throw first
    // A fault that passes says nothing about page 0. Outages have been tried again by then.
    first = await read(1)
    if (!isOutage(zero)) zero = await readOrError(read, 0)
    if (zero instanceof AppError) return { number: 1, page: first }
  }
  if (!isListed(zero))
    return isListed(first) ? { number: 1, page: first } : { number: null, page: zero }
  if (!isListed(first)) return { number: 0, page: zero }
  // A list of one page may be repeated for every number.
  if (isOnTop(first, zero)) return { number: isLonger(zero) ? 1 : null, page: zero }
  // New rows may have come in between: then page 1 begins by now as page 0 did.
  const again = await read(1)
  const isPageOne = isOnTop(zero, again) || !isBefore(zero, again)
  return isPageOne ? { number: 1, page: again } : { number: 0, page: zero }
}

const isListed = (came: ServicePage | AppError): came is ServicePage =>
  !(came instanceof AppError) && came.rows.length > 0

/** A page, or the error of a service that does not have it. Throws what says nothing about the page. */
async function readOrError(read: Finding['read'], number: 0 | 1): Promise<ServicePage | AppError> {
  try {
    return await read(number)
  } catch (error) {
    const isAboutPage =
      error instanceof AppError &&
      (error.fault === 'upstream_contract' || (number === 0 && isOutage(error)))
    if (isAboutPage && error.retryAfterSeconds === undefined) return error
    throw error
  }
}

const isOutage = ({ fault }: AppError) =>
  fault === 'upstream_unavailable' || fault === 'upstream_timeout'

/** Whether a page's first row is in the upper half of another page. */
function isOnTop(page: ServicePage, other: ServicePage): boolean {
  const [top] = toRowKeys(page)
  const index = top === undefined ? -1 : toRowKeys(other).indexOf(top)
  return index >= 0 && index * 2 <= other.rows.length
}

/** Whether one page goes before another in the order of the list; true where no order shows. */
function isBefore(page: ServicePage, other: ServicePage): boolean {
  const ordering = selectOrdering(page) ?? selectOrdering(other)
  if (!ordering || ordering.order === 'none') return true
  const name = ordering.key === 'created_at' ? 'created_at' : 'id'
  const [first, second] = [page, other].map((of) => toRatings(of).map((row) => row[name]))
  if (!first || !second) return false
  return ordering.order === 'newest'
    ? Math.max(...first) > Math.max(...second)
    : Math.min(...first) < Math.min(...second)
}
