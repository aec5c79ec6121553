import * as z from 'zod/mini'
import { parseRating } from '#lib/contract/rating.ts'
import type { Watch } from './call-service.ts'
import { AttemptFailure, contractFailure, timeoutFailure, toStatusFailure } from './failures.ts'
import { assertOk, type Reading, readWhole } from './read-answer.ts'
import type { ServicePage } from './upstream.ts'
import { NO_VALIDATORS, readValidators } from './validators.ts'

/** Reads a page out of its answer. Throws `AttemptFailure`. */
export async function takePage(
  page: number | 'default',
  { response, watch }: { response: Response; watch: Watch },
  { now, nowMs, timeLimits, sizeLimits, watchForKey }: Reading,
): Promise<ServicePage> {
  const number = page === 'default' ? 1 : page
  watch.limit('page', timeLimits.pageMs, () =>
    timeoutFailure('The answer of the service took too long.'),
  )
  try {
    assertOk(response, now())
    const body = await readWhole(response, {
      watch,
      nowMs,
      idleMs: timeLimits.pageIdleMs,
      idleBytes: 1,
      maximumBytes: sizeLimits.pageBytes,
      watchForKey,
    })
    const { headers } = response
    const validators = readValidators(headers, watchForKey)
    return { ...parseServicePage(number, body, { headers, now: now() }), validators }
  } catch (error) {
    // Some services say 404 behind the last page, where others say an empty list. The first one is there in any case.
    const isBehindTheEnd = error instanceof AttemptFailure && error.status === 404 && number > 1
    if (!isBehindTheEnd) throw error
    void response.body?.cancel().catch(() => {})
    return { page: number, rows: [], data: [], isNotFound: true, validators: NO_VALIDATORS }
  } finally {
    watch.end()
  }
}

/** The envelope as any service may write it; what a success needs is checked on its own. */
const serviceEnvelope = z.object({
  success: z.boolean(),
  code: z.optional(z.nullable(z.number())),
  data: z.optional(z.unknown()),
})

// A page is four deep: envelope, rows, row, and perhaps something of the service's own.
const DEEPEST = 64
// More rows than this in a page of its size are none.
const MOST_ROWS = 50_000

type Came = { headers: Headers; now: number }

/**
 * A page out of the body that came with a 200. Rows that are no ratings come back as rejected. Throws
 * `AttemptFailure` where the body is not JSON in UTF-8, is not the envelope, has no `data`, or says it is no success.
 */
function parseServicePage(
  page: number,
  body: Uint8Array,
  came: Came,
): Omit<ServicePage, 'validators'> {
  const envelope = serviceEnvelope.safeParse(parseJson(body))
  if (!envelope.success) {
    throw contractFailure('The service answered with JSON that is not the envelope.')
  }
  const { success, code, data } = envelope.data
  if (!success) throw toEnvelopeFailure(code, came)
  if (!Array.isArray(data)) throw contractFailure('The service answered without a list of ratings.')
  if (data.length > MOST_ROWS) throw contractFailure('The page of the service has too many rows.')
  return { page, rows: data.map(parseRating), data, isNotFound: false }
}

/** What a body says that came where a dump should: the failure in its envelope, or that it is no dump. */
export function toNoDumpFailure(body: Uint8Array, came: Came): AttemptFailure {
  try {
    const envelope = serviceEnvelope.safeParse(parseJson(body))
    if (envelope.success && !envelope.data.success) {
      return toEnvelopeFailure(envelope.data.code, came)
    }
  } catch {
    // Not JSON either: it is no dump all the same.
  }
  return contractFailure('The service answered with something else than CSV.')
}

function toEnvelopeFailure(code: number | null | undefined, { headers, now }: Came) {
  const isFailure = Number.isInteger(code) && Number(code) >= 400 && Number(code) <= 599
  if (isFailure) return toStatusFailure(Number(code), headers, now)
  return contractFailure('The service says that the request failed, and not why.')
}

function parseJson(body: Uint8Array): unknown {
  const text = toText(body)
  const start = text.trimStart()
  if (start === '') throw contractFailure('The answer of the service is empty.')
  if (start.startsWith('<')) {
    throw contractFailure('The service answered with a web page: not JSON.')
  }
  if (isTooDeep(body)) throw contractFailure('The JSON of the service is nested too deeply.')
  try {
    return JSON.parse(text)
  } catch {
    throw contractFailure('The answer of the service is not JSON.')
  }
}

function toText(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw contractFailure('The answer of the service is not UTF-8.')
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Counts brackets outside strings, before the parser would spend memory on them. */
function isTooDeep(json: Uint8Array): boolean {
  let depth = 0
  let isText = false
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index] ?? 0
    if (isText) {
      if (byte === BACKSLASH) index += 1
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    // { and [, then } and ]: each pair differs in one bit.
    else if ((byte | 0x20) === 0x7b) depth += 1
    else if ((byte | 0x20) === 0x7d) depth -= 1
    if (depth > DEEPEST) return true
  }
  return false
}
