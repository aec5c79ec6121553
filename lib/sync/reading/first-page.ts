import { AppError } from '#lib/contract/faults.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'
import { selectOrdering, toRatings, toRowKeys } from './page-order.ts'

/** `number` is null if it cannot be determined. */
type FirstPage = { number: 0 | 1 | null; page: ServicePage }

type Finding = {
  read: (number: 0 | 1) => Promise<ServicePage>
  one: ServicePage | null
  isLonger: (page: ServicePage) => boolean
}

/** Two to five requests. Throws AppError. */
export async function findFirstPage({ read, one, isLonger }: Finding): Promise<FirstPage> {
  let first = one ?? (await readOrError(read, 1))
  let zero = await readOrError(read, 0)
  if (zero instanceof AppError) {
    if (first instanceof AppError) throw first
    // A transient fault says nothing about page 0.
    first = await read(1)
    if (!isOutage(zero)) zero = await readOrError(read, 0)
    if (zero instanceof AppError) return { number: 1, page: first }
  }
  if (!isListed(zero))
    return isListed(first) ? { number: 1, page: first } : { number: null, page: zero }
  if (!isListed(first)) return { number: 0, page: zero }
  // A list of one page may be repeated for every number.
  if (isOnTop(first, zero)) return { number: isLonger(zero) ? 1 : null, page: zero }
  // New rows may have arrived in between.
  const again = await read(1)
  const isPageOne = isOnTop(zero, again) || !isBefore(zero, again)
  return isPageOne ? { number: 1, page: again } : { number: 0, page: zero }
}

const isListed = (came: ServicePage | AppError): came is ServicePage =>
  !(came instanceof AppError) && came.rows.length > 0

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

function isOnTop(page: ServicePage, other: ServicePage): boolean {
  const [top] = toRowKeys(page)
  const index = top === undefined ? -1 : toRowKeys(other).indexOf(top)
  return index >= 0 && index * 2 <= other.rows.length
}

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
