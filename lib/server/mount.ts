import 'server-only'
import { sendError } from '#lib/api/respond.ts'
import { AppError } from '#lib/contract/faults.ts'
import { isAllowedHost } from './allowed-hosts.ts'
import { openHouse, processLog } from './house.ts'
import { answerProbe } from './live-probe.ts'
import { toLogFields } from './log.ts'
import { REQUEST_ID } from './request-id.ts'
import type { House } from './wire-house.ts'

/** The API as a route handler: the host is checked first. */
export const mountApi = async (request: Request): Promise<Response> =>
  (await answerProbe(request)) ??
  (await answer(request, (house) => {
    if (!isAllowedHost(house.env.allowedHosts, request.headers.get('host'))) throw misdirected()
  }))

/** The API's answer; whatever goes wrong has the one shape, also where the house is not open. */
export async function answer(
  request: Request,
  admit: (house: House) => void = () => {},
): Promise<Response> {
  try {
    const house = await openHouse()
    admit(house)
    return await house.api(request)
  } catch (error) {
    return sendError(error, (unknown) => {
      const id = request.headers.get(REQUEST_ID)
      processLog().error('a request failed', { id, ...toLogFields(unknown) })
    })
  }
}

/** A request that names a host that we do not serve: perhaps another site's name, bound to our address. */
export const misdirected = () =>
  new AppError('misdirected', 'This dashboard is not served under that host name (ALLOWED_HOSTS).')
