import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendError } from '#lib/api/respond.ts'
import { AppError } from '#lib/contract/faults.ts'
import { isAllowedHost } from './allowed-hosts.ts'
import { openHouse, processLog } from './house.ts'
import { toLogFields } from './log.ts'
import { misdirected } from './mount.ts'
import { answerOnSocket } from './node-adapter.ts'

/** The embedded service under `/service`; without one, that address does not exist. */
export const mountService = (incoming: IncomingMessage, outgoing: ServerResponse) =>
  answerOnSocket(incoming, outgoing, {
    answer,
    onBroken: (error) =>
      processLog().error('an answer of the service broke off', toLogFields(error)),
  })

async function answer(request: Request): Promise<Response> {
  try {
    const { service, env } = await openHouse()
    if (!isAllowedHost(env.allowedHosts, request.headers.get('host'))) throw misdirected()
    if (!service) throw new AppError('not_found', 'No service is embedded here.')
    return await service.handle(request)
  } catch (error) {
    return sendError(error, (unknown) =>
      processLog().error('a request to the service failed', toLogFields(unknown)),
    )
  }
}
