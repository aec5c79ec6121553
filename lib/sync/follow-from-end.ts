import type { ReadPages } from './follow-pages.ts'
import { createPageIntake } from './page-intake.ts'
import { toPageKey } from './page-order.ts'

/** The page before the one that the first row not held can stand on, where the rows held are the list's beginning. */
export const toResumePage = (held: number, pageSize: number): number =>
  held === 0 || pageSize === 0 ? 1 : Math.max(1, Math.floor(held / pageSize))

/**
 * Follows a service that lists its oldest ratings first: new ones come at the end, so reading starts where the held
 * rows end. Gives the instant at which the last page was read; null where there was nothing to read, so that the
 * service lists fewer ratings than are held.
 */
export async function followFromEnd(
  options: ReadPages & { pageSize: number },
): Promise<number | null> {
  const { archive, pageSize, now, signal, onProgress } = options
  const intake = createPageIntake(archive)
  const from = toResumePage(archive.state().ratings, pageSize)
  let before = ''
  for (let number = from; ; number += 1) {
    signal.throwIfAborted()
    onProgress({ step: 'reading', done: number - from, total: null, unit: 'pages' })
    const readAt = now()
    const page = await options.readPage(number)
    const key = toPageKey(page)
    const isEnd = page.rows.length < pageSize || key === before
    if (number === from && page.rows.length === 0) return null
    if (key !== before) intake.add(page)
    if (isEnd) {
      await intake.commit(readAt)
      return readAt
    }
    await intake.commit(null)
    before = key
  }
}
