import type { Take } from './exchange.ts'
import { AGAIN } from './read-answer.ts'
import type { Validators } from './upstream.ts'
import { isAbout, toConditions } from './validators.ts'

/**
 * Takes null of an answer that says that nothing changed since `held`. One that says so of another version, which a
 * cache on the way may do, is of no use.
 */
export function unlessUnchanged<T>(held: Validators, take: Take<T>): Take<T | null | typeof AGAIN> {
  const isConditional = Object.keys(toConditions(held)).length > 0
  return async (response, watch) => {
    if (!isConditional || response.status !== 304) return await take(response, watch)
    void response.body?.cancel().catch(() => {})
    watch.close()
    return isAbout(held, response.headers) ? null : AGAIN
  }
}
