import { readValidators, toStrong } from './answer-headers.ts'
import { contractFailure, toThrown } from './failures.ts'
import {
  AGAIN,
  type AnswerOptions,
  assertOk,
  type BodyReading,
  isGzipped,
  parseContentLength,
  readBody,
  toNoDumpFailure,
} from './read-answer.ts'
import type { Deadlines } from './time-limits.ts'
import type { DumpDownload, DumpOptions, Validators } from './upstream.ts'

type Answer = { response: Response; watch: Deadlines }

export async function takeDump(
  { response, watch }: Answer,
  reading: AnswerOptions,
): Promise<DumpDownload> {
  const { now, sizeLimits } = reading
  assertOk(response, now())
  const how = { ...toBodyReading(watch, reading), now: now(), errorBytes: sizeLimits.errorBytes }
  return await openDump(response, how)
}

/** `AGAIN`: request the whole dump. Throws `AttemptFailure`. */
export async function takeRest(
  part: Part,
  { response, watch }: Answer,
  reading: AnswerOptions,
): Promise<DumpDownload | typeof AGAIN> {
  const rest = response.status === 206 ? parseRest(response, part) : null
  if (rest) return openRest(response, { ...toBodyReading(watch, reading), ...rest })
  if (response.status !== 206 && response.status !== 416) {
    return await takeDump({ response, watch }, reading)
  }
  void response.body?.cancel().catch(() => {})
  watch.close()
  return AGAIN
}

function toBodyReading(watch: Deadlines, reading: AnswerOptions): BodyReading {
  const { nowMs, timeLimits, sizeLimits, key } = reading
  return {
    watch,
    nowMs,
    idleMs: timeLimits.dumpIdleMs,
    idleBytes: timeLimits.dumpIdleBytes,
    maximumBytes: sizeLimits.dumpBytes,
    key,
  }
}

type Opening = BodyReading & { now: number; errorBytes: number }

/** Throws `AttemptFailure`; the body throws AppError or the abort reason. */
async function openDump(response: Response, how: Opening): Promise<DumpDownload> {
  const { headers } = response
  const type = headers.get('content-type')?.toLowerCase() ?? ''
  if (/^\s*(?:text\/html|application\/xhtml)/.test(type)) {
    throw contractFailure('The service answered with a web page instead of a dump.')
  }
  const chunks = readBody(response, how)
  const head = await readHead(chunks)
  if (head.sign === '<') {
    throw contractFailure('The service answered with a web page instead of a dump.')
  }
  if (head.sign === '{' || /^\s*application\/(?:[\w.-]+\+)?json/.test(type)) {
    throw toNoDumpFailure(await readUpTo(how.errorBytes, head.chunks, chunks), {
      headers,
      now: how.now,
    })
  }
  if (head.sign === '') throw contractFailure('The dump of the service is empty.')
  const isGzip = isGzipped(headers)
  const length = parseContentLength(headers)
  return {
    body: toBody(head.chunks, chunks, how.watch.close),
    totalBytes: isGzip ? null : length,
    hasKnownEnd: isGzip || length !== null || isChunked(headers),
    from: 0,
    validators: readValidators(headers, how.key),
  }
}

function openRest(response: Response, how: BodyReading & RemainingRange): DumpDownload {
  const { from, totalBytes, watch } = how
  return {
    body: toBody([], readBody(response, how, totalBytes - from), watch.close),
    from,
    totalBytes,
    hasKnownEnd: true,
    validators: readValidators(response.headers, how.key),
  }
}

const isChunked = (headers: Headers) =>
  /\bchunked\s*$/i.test(headers.get('transfer-encoding') ?? '')

const HEAD_BYTES = 1024

async function readHead(chunks: AsyncGenerator<Uint8Array>) {
  const head: Uint8Array[] = []
  let text = ''
  while (text === '' && Buffer.concat(head).length < HEAD_BYTES) {
    const { done, value } = await chunks.next()
    if (done) break
    head.push(value)
    text = Buffer.concat(head)
      .subarray(0, HEAD_BYTES)
      .toString('latin1')
      .replace(/^\u00ef(?:\u00bb\u00bf?)?/, '')
      .trimStart()
  }
  return { chunks: head, sign: text.slice(0, 1) }
}

async function readUpTo(
  maximumBytes: number,
  head: Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
): Promise<Uint8Array> {
  const chunks = [...head]
  let size = Buffer.concat(chunks).length
  while (size < maximumBytes) {
    const { done, value } = await rest.next()
    if (done) break
    chunks.push(value)
    size += value.byteLength
  }
  return Buffer.concat(chunks).subarray(0, maximumBytes)
}

/** Single use. Returning early closes the connection. */
function toBody(
  head: Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
  close: () => void,
): AsyncIterableIterator<Uint8Array> {
  let isClosed = false
  const finish = async (): Promise<IteratorResult<Uint8Array>> => {
    isClosed = true
    close()
    void rest.return(undefined).catch(() => {})
    return { done: true, value: undefined }
  }
  const body: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => body,
    return: finish,
    async next() {
      if (isClosed) return { done: true, value: undefined }
      const first = head.shift()
      if (first) return { done: false, value: first }
      try {
        const result = await rest.next()
        return result.done ? await finish() : result
      } catch (error) {
        await finish()
        throw toThrown(error)
      }
    },
  }
  return body
}

export type Part = NonNullable<DumpOptions['part']>

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/

/** Null without a strong validator. */
export function toRange(part: Part | undefined): Record<string, string> | null {
  const strong = part ? toStrong(part) : null
  if (!part || strong === null || !Number.isSafeInteger(part.bytes) || part.bytes < 1) return null
  return { range: `bytes=${part.bytes}-`, 'if-range': strong, 'accept-encoding': 'identity' }
}

type RemainingRange = { from: number; totalBytes: number }

/** Null unless it is exactly the rest of the same dump. */
function parseRest({ headers }: Response, part: Part): RemainingRange | null {
  const [, from, to, total] = CONTENT_RANGE.exec(headers.get('content-range')?.trim() ?? '') ?? []
  const totalBytes = Number(total)
  const isAllBehind = Number(from) === part.bytes && Number(to) === totalBytes - 1
  if (!isAllBehind || !isSame(headers, part) || isEncoded(headers)) return null
  const length = parseContentLength(headers)
  if (length !== null && length !== totalBytes - part.bytes) return null
  return { from: part.bytes, totalBytes }
}

/** Services may ignore `If-Range`. */
function isSame(headers: Headers, part: Validators): boolean {
  const said = part.etag === null ? headers.get('last-modified') : headers.get('etag')
  return said !== null && said === toStrong(part)
}

function isEncoded(headers: Headers): boolean {
  try {
    return (
      isGzipped(headers) || /^\s*(?:multipart|text\/html)/i.test(headers.get('content-type') ?? '')
    )
  } catch {
    return true
  }
}
