import 'server-only'
import { sendError } from '#lib/api/respond.ts'
import { AppError } from '#lib/contract/faults.ts'
import { isAllowedHost } from './allowed-hosts.ts'
import { openHouse, processLog } from './house.ts'
import { toLogFields } from './log.ts'

/** The API as a route handler: host checked, house opened, whatever goes wrong in the one shape. */
export async function mountApi(request: Request): Promise<Response> {
  try {
    const house = await openHouse()
    if (!isAllowedHost(house.env.allowedHosts, request.headers.get('host'))) throw misdirected()
    return await house.api(request)
  } catch (error) {
    return sendError(error, (unknown) => processLog()('a request failed', toLogFields(unknown)))
  }
}

/** A request that names a host that we do not serve: perhaps another site's name, bound to our address. */
export const misdirected = () =>
  new AppError('misdirected', 'This dashboard is not served under that host name (ALLOWED_HOSTS).')
