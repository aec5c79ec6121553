import { AttemptFailure, timeoutFailure } from './attempt-failure.ts'
import { assertOk, type Reading } from './read-answer.ts'
import { readWhole } from './read-body.ts'
import { parseServicePage } from './service-page.ts'
import type { Watch } from './time-limits.ts'
import type { ServicePage } from './upstream.ts'
import { NO_VALIDATORS, readValidators } from './validators.ts'

/** Reads a page out of its answer. Throws `AttemptFailure`. */
export async function takePage(
  page: number | 'default',
  { response, watch }: { response: Response; watch: Watch },
  { now, nowMs, timeLimits, sizeLimits, watchForKey }: Reading,
): Promise<ServicePage> {
  const number = page === 'default' ? 1 : page
  watch.limit('page', timeLimits.pageMs, () =>
    timeoutFailure('The answer of the service took too long.'),
  )
  try {
    assertOk(response, now())
    const body = await readWhole(response, {
      watch,
      nowMs,
      idleMs: timeLimits.pageIdleMs,
      idleBytes: 1,
      maximumBytes: sizeLimits.pageBytes,
      watchForKey,
    })
    const { headers } = response
    const validators = readValidators(headers, watchForKey)
    return { ...parseServicePage(number, body, { headers, now: now() }), validators }
  } catch (error) {
    // Some services say 404 behind the last page, where others say an empty list. The first one is there in any case.
    const isBehindTheEnd = error instanceof AttemptFailure && error.status === 404 && number > 1
    if (!isBehindTheEnd) throw error
    void response.body?.cancel().catch(() => {})
    return { page: number, rows: [], data: [], isNotFound: true, validators: NO_VALIDATORS }
  } finally {
    watch.end()
  }
}
