import 'server-only'
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '#lib/access/permissions.ts'
import { ACCOUNT, MAY } from '#lib/api/endpoint.ts'
import { PERMISSIONS, type Permission } from '#lib/contract/answers/access.ts'

export { MAY }

/** The request header that says who was let in; nobody outside can set it. */
const CALLER = 'x-caller'

/** What a page may know of who asks: what he may do, and nothing of who he is. */
const toMay = ({ permissions }: Pick<Caller, 'permissions'>): string =>
  PERMISSIONS.filter((one) => permissions.includes(one)).join(' ')

export const readMay = (text: string | null | undefined): readonly Permission[] => {
  const named = new Set((text ?? '').split(' '))
  return PERMISSIONS.filter((one) => named.has(one))
}

/** Writes down in a request's headers who was let in; what anybody else has written there goes. */
export function noteCaller(headers: IncomingHttpHeaders, caller: Caller | null): void {
  delete headers[CALLER]
  delete headers[MAY]
  delete headers[ACCOUNT]
  if (caller === null) return
  headers[MAY] = toMay(caller)
  if (caller.name !== '') headers[ACCOUNT] = encodeURIComponent(caller.name)
  headers[CALLER] = encodeURIComponent(JSON.stringify(caller))
}

/** Who was let in with a request that reached a route; null where the route needs nobody. */
export function readCaller(headers: Pick<Headers, 'get'>): Caller | null {
  const text = headers.get(CALLER)
  return text === null ? null : (JSON.parse(decodeURIComponent(text)) as Caller)
}
