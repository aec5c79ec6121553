import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mountApi } from './mount.ts'
import { sendResponse, toRequest } from './node-adapter.ts'

/** Events, straight onto the socket: each leaves as it comes, and a reader who reads no more loses the connection. */
export async function mountEvents(incoming: IncomingMessage, outgoing: ServerResponse) {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  try {
    await sendResponse(outgoing, await mountApi(toRequest(incoming, gone.signal)))
  } catch {
    // The reader was given up, which is what the hub does with one that does not read.
    outgoing.destroy()
  }
}
