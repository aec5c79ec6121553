import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { processLog } from './house.ts'
import { toLogFields } from './log.ts'
import { mountApi } from './mount.ts'
import { sendResponse, toRequest } from './node-adapter.ts'

/** An export, straight onto the socket: a failure half way breaks the connection, and a length that is known is sent. */
export async function mountExport(incoming: IncomingMessage, outgoing: ServerResponse) {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  try {
    await sendResponse(outgoing, await mountApi(toRequest(incoming, gone.signal)))
  } catch (error) {
    processLog().error('an export broke off', toLogFields(error))
    outgoing.destroy()
  }
}
