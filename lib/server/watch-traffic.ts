import 'server-only'
import { processLog, processMetrics } from './house.ts'
import { processTraffic } from './traffic.ts'

/** From so many seconds on, a request is worth a line of its own. */
const SLOW_SECONDS = 5

/** Counts each request, and tells the log of those that failed, that took long, and, where it is asked to, of all. */
export function watchTraffic(): void {
  processTraffic().onAnswered((answered) => {
    processMetrics().observeRequest(answered)
    const { id, method, url, status, seconds } = answered
    // Without the query: it may be long, and holds what somebody looked for.
    const path = url.split('?')[0] ?? ''
    const fields = { id, method, path, status, ms: Math.round(seconds * 1000) }
    const log = processLog()
    if (status >= 500) log.warn('a request was answered with a failure', fields)
    else if (seconds >= SLOW_SECONDS && !isLong(path)) log('a request took long', fields)
    else log.debug('a request was answered', fields)
  })
}

/** Events, files and dumps last as long as whoever reads them. */
const isLong = (path: string) =>
  path === '/api/events' || /\/dumps$|^\/api\/(?:ratings\.|editions\/)/.test(path)
