import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { type PlainAnswer, toAnswer, withBody, withHeaders } from './plain-answer.ts'
import type { ServiceScript } from './service-script.ts'
import { conditional, isSameForRange, toValidators } from './validators.ts'

/** A dump as the script has it at this moment: whole, a part of it, or nothing where it has not changed. */
export function toDumpAnswer(kind: DumpKind, request: Request, script: ServiceScript): PlainAnswer {
  const text = script.dumps[kind](script)
  const body = typeof text === 'string' ? Buffer.from(text) : text
  const said = toValidators(body, script.dumpValidators, script.dumpsMadeAt)
  const whole = conditional(toAnswer(200, 'text/csv; charset=utf-8', body), request, said)
  if (whole.status !== 200 || script.ranges === 'none') return whole
  const ranged = withHeaders(whole, { 'accept-ranges': 'bytes' })
  const from = parseFrom(request.headers.get('range'))
  if (from === null) return ranged
  if (script.ranges !== 'blind' && !isSameForRange(request, said)) return ranged
  return toPart(ranged, from, script.ranges)
}

/** The first byte of an open range; the only kind that a client of ours asks for. */
function parseFrom(range: string | null): number | null {
  const found = /^bytes=(\d{1,15})-$/.exec(range ?? '')
  return found ? Number(found[1]) : null
}

function toPart(whole: PlainAnswer, from: number, ranges: ServiceScript['ranges']): PlainAnswer {
  const size = whole.body.byteLength
  if (ranges === 'refused' || from >= size) {
    const headers = { 'content-range': `bytes */${size}`, 'content-length': '0' }
    return { status: 416, headers, body: new Uint8Array() }
  }
  const start = ranges === 'shifted' ? Math.max(0, from - 1) : from
  const part = withBody({ ...whole, status: 206 }, whole.body.subarray(start))
  return withHeaders(part, { 'content-range': `bytes ${start}-${size - 1}/${size}` })
}
