import 'server-only'
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '#lib/access/permissions.ts'
import { ACCOUNT, MAY } from '#lib/api/endpoint.ts'
import { PERMISSIONS, type Permission } from '#lib/contract/answers/access.ts'

export { MAY }

/** Set by the gate; incoming values are removed. */
const CALLER = 'x-caller'

const toMay = ({ permissions }: Pick<Caller, 'permissions'>): string =>
  PERMISSIONS.filter((one) => permissions.includes(one)).join(' ')

export const readMay = (text: string | null | undefined): readonly Permission[] => {
  const named = new Set((text ?? '').split(' '))
  return PERMISSIONS.filter((one) => named.has(one))
}

export function noteCaller(headers: IncomingHttpHeaders, caller: Caller | null): void {
  delete headers[CALLER]
  delete headers[MAY]
  delete headers[ACCOUNT]
  if (caller === null) return
  headers[MAY] = toMay(caller)
  if (caller.name !== '') headers[ACCOUNT] = encodeURIComponent(caller.name)
  headers[CALLER] = encodeURIComponent(JSON.stringify(caller))
}

export function readCaller(headers: Pick<Headers, 'get'>): Caller | null {
  const text = headers.get(CALLER)
  return text === null ? null : (JSON.parse(decodeURIComponent(text)) as Caller)
}
