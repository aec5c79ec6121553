import 'server-only'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const REQUEST_ID = 'x-request-id'

/** What a proxy in front may call a request: nothing that could forge a line of a log. */
const KNOWN = /^[\w-]{8,64}$/

/** Names a request: as whoever asks does, or anew. The name stands in its headers from then on. */
export function nameRequest(request: IncomingMessage): string {
  const given = request.headers[REQUEST_ID]
  const id = typeof given === 'string' && KNOWN.test(given) ? given : randomBytes(9).toString('hex')
  request.headers[REQUEST_ID] = id
  return id
}
