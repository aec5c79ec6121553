import { contractFailure, toThrown } from './attempt-failure.ts'
import type { Rest } from './dump-part.ts'
import { type BodyReading, isGzipped, parseContentLength, readBody } from './read-body.ts'
import { toNoDumpFailure } from './service-page.ts'
import type { DumpDownload } from './upstream.ts'
import { readValidators } from './validators.ts'

type Opening = BodyReading & { now: number; errorBytes: number }

/**
 * A dump, once its body has begun and is not something else: a web page, or an envelope that says why not. Throws
 * `AttemptFailure` until then. The body throws AppError, or the reason that its caller gave up for; `how.watch` is
 * closed with it.
 */
export async function openDump(response: Response, how: Opening): Promise<DumpDownload> {
  const { headers } = response
  const type = headers.get('content-type')?.toLowerCase() ?? ''
  if (/^\s*(?:text\/html|application\/xhtml)/.test(type)) {
    throw contractFailure('The service answered with a web page where a dump should be.')
  }
  const chunks = readBody(response, how)
  const head = await readHead(chunks)
  if (head.sign === '<') {
    throw contractFailure('The service answered with a web page where a dump should be.')
  }
  if (head.sign === '{' || /^\s*application\/(?:[\w.-]+\+)?json/.test(type)) {
    throw toNoDumpFailure(await readUpTo(how.errorBytes, head.chunks, chunks), {
      headers,
      now: how.now,
    })
  }
  if (head.sign === '') throw contractFailure('The dump of the service is empty.')
  return {
    body: toBody(head.chunks, chunks, how.watch.close),
    totalBytes: isGzipped(headers) ? null : parseContentLength(headers),
    from: 0,
    validators: readValidators(headers, how.watchForKey),
  }
}

/** The rest of a dump, behind the part that is held. Its body is as long as it has to be, or throws. */
export function openRest(response: Response, how: BodyReading & Rest): DumpDownload {
  const { from, totalBytes, watch } = how
  return {
    body: toBody([], readBody(response, how, totalBytes - from), watch.close),
    from,
    totalBytes,
    validators: readValidators(response.headers, how.watchForKey),
  }
}

const HEAD_BYTES = 1024

/** Reads until the first character that is no blank, `sign`; '' where there is none. */
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

/** The body from its first byte. To be read once; whoever stops early, even before the start, ends the connection. */
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
