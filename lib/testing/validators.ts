import { createHash } from 'node:crypto'
import { type PlainAnswer, withHeaders } from './plain-answer.ts'
import type { ValidatorsSaid } from './service-script.ts'

type Said = { etag: string | null; lastModified: string | null }

/** What these bytes are told apart by. `madeAt` in seconds since 1970. */
export function toValidators(body: Uint8Array, said: ValidatorsSaid, madeAt: number): Said {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16)
  const etags = { etag: `"${hash}"`, both: `"${hash}"`, weak_etag: `W/"${hash}"` }
  const isDated = said === 'last_modified' || said === 'both'
  return {
    etag: said === 'none' || said === 'last_modified' ? null : etags[said],
    lastModified: isDated ? new Date(madeAt * 1000).toUTCString() : null,
  }
}

/** Says the validators, and makes it a 304 where that is what was asked. */
export function conditional(answer: PlainAnswer, request: Request, said: Said): PlainAnswer {
  const headers = {
    ...(said.etag === null ? {} : { etag: said.etag }),
    ...(said.lastModified === null ? {} : { 'last-modified': said.lastModified }),
  }
  const held = request.headers.get('if-none-match')
  const since = request.headers.get('if-modified-since')
  const isHeld = held !== null && held === said.etag
  const isOld = held === null && since !== null && since === said.lastModified
  if (isHeld || isOld) return { status: 304, headers, body: new Uint8Array() }
  return withHeaders(answer, headers)
}

/** Whether the part that is asked for may be sent: a weak tag names no bytes. */
export function isSameForRange(request: Request, { etag, lastModified }: Said): boolean {
  const asked = request.headers.get('if-range')
  if (asked === null) return true
  return (asked === etag && !asked.startsWith('W/')) || asked === lastModified
}
