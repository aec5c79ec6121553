import { AppError } from '#lib/contract/faults.ts'
import { type CallDeps, callService } from './call-service.ts'
import { type Part, toRange } from './dump-part.ts'
import type { Take } from './exchange.ts'
import { AGAIN, type Reading } from './read-answer.ts'
import type { Endpoint } from './service-request.ts'
import { takeDump, takeRest } from './take-dump.ts'
import { takePage } from './take-page.ts'
import { unlessUnchanged } from './unless-unchanged.ts'
import type { DumpDownload, ServicePage, Upstream } from './upstream.ts'
import { toConditions } from './validators.ts'

const HIGHEST_PAGE = 9_999_999

/** The four calls of a client; each asks again where an answer to a condition or a range is of no use. */
export type Calls = Omit<Upstream, 'budget' | 'service'>

export function createCalls(deps: CallDeps, reading: Reading): Calls {
  const fetchPage: Calls['fetchPage'] = async (page, { signal, purpose = 'follow' } = {}) => {
    const endpoint = toPageEndpoint(page)
    return await callService(deps, { endpoint, purpose, signal, take: takingPage(page, reading) })
  }
  const fetchWhole: Calls['fetchDump'] = async (dump, { signal, purpose = 'dump' } = {}) => {
    const endpoint = { kind: 'dump' as const, dump }
    return await callService(deps, { endpoint, purpose, signal, take: takingDump(reading) })
  }
  return {
    fetchPage,
    async fetchPageIfChanged(page, held, options = {}) {
      const { signal, purpose = 'follow' } = options
      const endpoint = toPageEndpoint(page)
      const take = unlessUnchanged(held, takingPage(page, reading))
      const headers = toConditions(held)
      const answer = await callService(deps, { endpoint, purpose, headers, signal, take })
      return answer === AGAIN ? await fetchPage(page, options) : answer
    },
    async fetchDump(dump, options = {}) {
      const { part, signal, purpose = 'dump' } = options
      const endpoint = { kind: 'dump' as const, dump }
      const { headers, take } = toPartial(part, reading)
      const answer = await callService(deps, { endpoint, purpose, headers, signal, take })
      return answer === AGAIN ? await fetchWhole(dump, options) : answer
    },
    async fetchDumpIfChanged(dump, held, options = {}) {
      const { part, signal, purpose = 'dump' } = options
      const endpoint = { kind: 'dump' as const, dump }
      const partial = toPartial(part, reading)
      const take = unlessUnchanged(held, partial.take)
      const headers = { ...toConditions(held), ...partial.headers }
      const answer = await callService(deps, { endpoint, purpose, headers, signal, take })
      return answer === AGAIN ? await fetchWhole(dump, options) : answer
    },
  }
}

const takingPage =
  (page: number | 'default', reading: Reading): Take<ServicePage> =>
  (response, watch) =>
    takePage(page, { response, watch }, reading)

const takingDump =
  (reading: Reading): Take<DumpDownload> =>
  (response, watch) =>
    takeDump({ response, watch }, reading)

type Asking = { headers: Record<string, string>; take: Take<DumpDownload | typeof AGAIN> }

/** How to ask for the rest behind a part, or for the whole where that cannot be had for certain. */
function toPartial(part: Part | undefined, reading: Reading): Asking {
  const headers = toRange(part)
  if (!part || !headers) return { headers: {}, take: takingDump(reading) }
  return { headers, take: (response, watch) => takeRest(part, { response, watch }, reading) }
}

function toPageEndpoint(page: number | 'default'): Endpoint {
  const isPage = page === 'default' || (Number.isInteger(page) && page >= 1 && page <= HIGHEST_PAGE)
  if (isPage) return { kind: 'page', page }
  throw new AppError('internal', 'A page is a whole number from 1 to 9999999.')
}
