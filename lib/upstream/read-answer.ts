import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as z from 'zod/mini'
import { holdsMaskedKey, REPEATS_KEY } from '#lib/contract/masked-key.ts'
import { parseRating } from '#lib/contract/rating.ts'
import type { KeyFinder } from './access.ts'
import { NO_VALIDATORS, readValidators } from './answer-headers.ts'
import {
  AttemptFailure,
  brokenOffFailure,
  contractFailure,
  timeoutFailure,
  toAttemptFailure,
  toStatusFailure,
} from './failures.ts'
import type { Deadlines, TimeLimits } from './time-limits.ts'
import type { ServicePage } from './upstream.ts'

export type SizeLimits = {
  pageBytes: number
  dumpBytes: number
  errorBytes: number
}

export type AnswerOptions = {
  now: () => number
  nowMs: () => number
  timeLimits: TimeLimits
  sizeLimits: SizeLimits
  key: KeyFinder
}

export function assertOk(response: Response, now: number): void {
  if (response.status !== 200) throw toStatusFailure(response.status, response.headers, now)
}

export const AGAIN = Symbol('again')

export type BodyReading = {
  watch: Deadlines
  nowMs: () => number
  idleMs: number
  idleBytes: number
  maximumBytes: number
  key: KeyFinder
}

// Text compresses 5 to 50 times, a zip bomb 1,000 times.
const HIGHEST_RATIO = 200
const RATIO_COUNTS_FROM_BYTES = 16 * 1024 * 1024
const noop = () => {}

/** Throws `AttemptFailure` or the reason of `watch`. Masks the key. */
export async function* readBody(
  response: Response,
  how: BodyReading,
  expected = parseContentLength(response.headers),
): AsyncGenerator<Uint8Array> {
  const isGzip = isGzipped(response.headers)
  const counter = { received: 0 }
  const raw = readRaw(response, { ...how, expected }, counter)
  const mask = how.key.beginMask()
  let decoded = 0
  try {
    for await (const chunk of isGzip ? gunzip(raw, counter) : raw) {
      decoded += chunk.byteLength
      const isBomb = decoded > RATIO_COUNTS_FROM_BYTES && decoded > counter.received * HIGHEST_RATIO
      if (decoded > how.maximumBytes || isBomb) {
        throw contractFailure('The response of the service is too large.')
      }
      const masked = mask.push(chunk)
      if (masked.byteLength > 0) yield masked
    }
    const rest = mask.end()
    if (rest.byteLength > 0) yield rest
  } catch (error) {
    throw how.watch.signal.aborted ? how.watch.signal.reason : error
  }
}

async function readWhole(response: Response, how: BodyReading): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readBody(response, how)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Throws on any other encoding. */
export function isGzipped(headers: Headers): boolean {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return false
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  throw contractFailure('The response of the service has an unexpected encoding.')
}

export function parseContentLength(headers: Headers): number | null {
  const text = headers.get('content-length') ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

type RawReading = BodyReading & { expected: number | null }

async function* readRaw(response: Response, how: RawReading, counter: { received: number }) {
  const { signal } = how.watch
  signal.throwIfAborted()
  const reader = response.body?.getReader()
  const stop = () => void reader?.cancel().catch(noop)
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (let idle = startIdle(how); reader; ) {
      const { done, value } = await idle.whileWaiting(() => reader.read())
      signal.throwIfAborted()
      if (done) break
      idle = idle.after(value.byteLength)
      counter.received += value.byteLength
      yield value
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const failure = toAttemptFailure(error)
    throw failure.isWorthRetrying ? failure : brokenOffFailure()
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
  if (how.expected !== null && how.expected !== counter.received) throw brokenOffFailure()
}

type Idle = {
  whileWaiting<T>(read: () => Promise<T>): Promise<T>
  after(bytes: number): Idle
}

/** Slow readers do not count. */
function startIdle(how: BodyReading): Idle {
  let waitedMs = 0
  let bytes = 0
  const idle: Idle = {
    async whileWaiting(read) {
      const since = how.nowMs()
      how.watch.limit('idle', Math.max(how.idleMs - waitedMs, 1), () =>
        timeoutFailure('The response of the service stalled.'),
      )
      try {
        return await read()
      } finally {
        how.watch.lift('idle')
        waitedMs += how.nowMs() - since
      }
    },
    after(more) {
      bytes += more
      return bytes >= how.idleBytes ? startIdle(how) : idle
    },
  }
  return idle
}

/** Unlike `fetch`, rejects truncated streams. */
async function* gunzip(raw: AsyncGenerator<Uint8Array>, counter: { received: number }) {
  let isWhole = false
  const counted = async function* () {
    yield* raw
    isWhole = true
  }
  const input = Readable.from(counted(), { objectMode: false })
  const engine = createGunzip({ chunkSize: 65_536 })
  pipeline(input, engine, noop)
  try {
    for await (const chunk of engine) yield chunk as Uint8Array
  } catch (error) {
    throw toGunzipFailure(error)
  } finally {
    input.destroy()
    engine.destroy()
  }
  // The engine skips trailing zeros and everything after them.
  if (!isWhole || engine.bytesWritten !== counter.received) throw damaged()
}

const damaged = () => contractFailure('The gzip data from the service is damaged.')

function toGunzipFailure(error: unknown): unknown {
  if (error instanceof AttemptFailure) return error
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'Z_BUF_ERROR') return brokenOffFailure()
  return typeof code === 'string' && code.startsWith('Z_') ? damaged() : error
}

export async function takePage(
  number: number,
  { response, watch }: { response: Response; watch: Deadlines },
  { now, nowMs, timeLimits, sizeLimits, key }: AnswerOptions,
): Promise<ServicePage> {
  watch.limit('page', timeLimits.pageMs, () =>
    timeoutFailure('The response of the service took too long.'),
  )
  try {
    assertOk(response, now())
    const body = await readWhole(response, {
      watch,
      nowMs,
      idleMs: timeLimits.pageIdleMs,
      idleBytes: 1,
      maximumBytes: sizeLimits.pageBytes,
      key,
    })
    const { headers } = response
    const validators = readValidators(headers, key)
    return { ...parseServicePage(number, body, { headers, now: now() }), validators }
  } catch (error) {
    if (!(error instanceof AttemptFailure)) throw error
    // Some services allow no page 0. If they refuse the key, page 1 shows it.
    if (number === 0 && error.error.fault === 'upstream_refused') {
      throw new AttemptFailure('upstream_contract', 'The service refuses page 0.', {
        ...(error.status !== undefined && { status: error.status }),
      })
    }
    // Some services return 404 past the last page.
    if (error.status !== 404 || number <= 1) throw error
    void response.body?.cancel().catch(() => {})
    return { page: number, rows: [], data: [], isNotFound: true, validators: NO_VALIDATORS }
  } finally {
    watch.end()
  }
}

const serviceEnvelope = z.object({
  success: z.boolean(),
  code: z.optional(z.nullable(z.number())),
  data: z.optional(z.unknown()),
})

const DEEPEST = 64
const MOST_ROWS = 50_000

type ResponseContext = { headers: Headers; now: number }

/** Throws `AttemptFailure`, also if the key is repeated outside the rows. */
function parseServicePage(
  page: number,
  body: Uint8Array,
  context: ResponseContext,
): Omit<ServicePage, 'validators'> {
  const text = toText(body)
  const envelope = serviceEnvelope.safeParse(parseJson(text))
  if (!envelope.success) {
    throw contractFailure('The service answered with JSON in an unexpected form.')
  }
  const { success, code, data } = envelope.data
  if (!success) throw toEnvelopeFailure(code, context)
  if (!Array.isArray(data)) throw contractFailure('The service answered without a list of ratings.')
  if (data.length > MOST_ROWS) throw contractFailure('The page of the service has too many rows.')
  // Outside the rows, the response is about the key.
  if (holdsMaskedKey(text) && !holdsMaskedKey(JSON.stringify(data))) {
    throw contractFailure(REPEATS_KEY)
  }
  return { page, rows: data.map(parseRating), data, isNotFound: false }
}

export function toNoDumpFailure(body: Uint8Array, context: ResponseContext): AttemptFailure {
  try {
    const envelope = serviceEnvelope.safeParse(parseJson(toText(body)))
    if (envelope.success && !envelope.data.success) {
      return toEnvelopeFailure(envelope.data.code, context)
    }
  } catch {
    // Not JSON: not a dump either.
  }
  return contractFailure('The service did not answer with CSV.')
}

function toEnvelopeFailure(code: number | null | undefined, { headers, now }: ResponseContext) {
  const isFailure = Number.isInteger(code) && Number(code) >= 400 && Number(code) <= 599
  if (isFailure) return toStatusFailure(Number(code), headers, now)
  return contractFailure('The service reported a failure without a reason.')
}

function parseJson(text: string): unknown {
  const start = text.trimStart()
  if (start === '') throw contractFailure('The response of the service is empty.')
  if (start.startsWith('<')) {
    throw contractFailure('The service answered with a web page instead of JSON.')
  }
  if (isTooDeep(text)) throw contractFailure('The JSON from the service is nested too deeply.')
  try {
    return JSON.parse(quoteLargeIntegers(text))
  } catch {
    throw contractFailure('The response of the service is not JSON.')
  }
}

const SIXTEEN_DIGITS = /\d{16}/
const TEXT_OR_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\w.+-])-?\d{16,}(?![\w.+-])/gs

/** Keeps the digits of integers that no number holds. */
function quoteLargeIntegers(json: string): string {
  if (!SIXTEEN_DIGITS.test(json)) return json
  return json.replace(TEXT_OR_INTEGER, (part) =>
    part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"${part}"`,
  )
}

function toText(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw contractFailure('The response of the service is not UTF-8.')
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Before the parser allocates memory for them. */
function isTooDeep(json: string): boolean {
  let depth = 0
  let isText = false
  for (let index = 0; index < json.length; index += 1) {
    const byte = json.charCodeAt(index)
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
