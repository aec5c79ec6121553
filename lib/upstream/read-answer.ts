import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { EchoWatch } from './access.ts'
import type { TimeLimits, Watch } from './call-service.ts'
import {
  AttemptFailure,
  brokenOffFailure,
  contractFailure,
  timeoutFailure,
  toAttemptFailure,
  toStatusFailure,
} from './failures.ts'

/** Bytes, decoded. */
export type SizeLimits = {
  pageBytes: number
  dumpBytes: number
  /** How much is read of what came where a dump should. */
  errorBytes: number
}

/** How answers are read, of one client. */
export type Reading = {
  now: () => number
  nowMs: () => number
  timeLimits: TimeLimits
  sizeLimits: SizeLimits
  watchForKey: () => EchoWatch
}

/** Throws `AttemptFailure` for an answer with a status other than 200. */
export function assertOk(response: Response, now: number): void {
  if (response.status !== 200) throw toStatusFailure(response.status, response.headers, now)
}

/** What is taken of an answer that is of no use, where asking for the whole without conditions may bring one that is. */
export const AGAIN = Symbol('again')

/** How a body is read. `idleBytes` must come before `idleMs` were spent waiting. */
export type BodyReading = {
  watch: Watch
  nowMs: () => number
  idleMs: number
  idleBytes: number
  maximumBytes: number
  watchForKey: () => EchoWatch
}

// Text of this kind packs 5 to 50 times; a bomb packs about 1000 times.
const HIGHEST_RATIO = 200
const RATIO_COUNTS_FROM_BYTES = 16 * 1024 * 1024
const noop = () => {}

/**
 * The decoded bytes of an answer, piece by piece. Throws `AttemptFailure` where they end early, stand still, are more
 * than `maximumBytes`, repeat the key, or are encoded in another way than gzip, once; the reason of `watch` where that
 * fires. `expected`: how long the body must be on the wire, where it is known from elsewhere than its length.
 */
export async function* readBody(
  response: Response,
  how: BodyReading,
  expected = parseContentLength(response.headers),
): AsyncGenerator<Uint8Array> {
  const isGzip = isGzipped(response.headers)
  const counter = { received: 0 }
  const raw = readRaw(response, { ...how, expected }, counter)
  const repeatsKey = how.watchForKey()
  let decoded = 0
  try {
    for await (const chunk of isGzip ? gunzip(raw, counter) : raw) {
      decoded += chunk.byteLength
      const isBomb = decoded > RATIO_COUNTS_FROM_BYTES && decoded > counter.received * HIGHEST_RATIO
      if (decoded > how.maximumBytes || isBomb) {
        throw contractFailure('The answer of the service is too large.')
      }
      if (repeatsKey(chunk)) throw contractFailure('The service repeats the key in its answer.')
      yield chunk
    }
  } catch (error) {
    throw how.watch.signal.aborted ? how.watch.signal.reason : error
  }
}

/** The whole of a body, decoded. Errors as for {@link readBody}. */
export async function readWhole(response: Response, how: BodyReading): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readBody(response, how)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Whether a body is gzipped. Throws where it is encoded in any other way, or twice. */
export function isGzipped(headers: Headers): boolean {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return false
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  throw contractFailure('The answer of the service is encoded in a way that nobody asked for.')
}

/** The length of the body on the wire, where the service said it. */
export function parseContentLength(headers: Headers): number | null {
  const text = headers.get('content-length') ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

type RawReading = BodyReading & { expected: number | null }

async function* readRaw(response: Response, how: RawReading, counter: { received: number }) {
  const { signal } = how.watch
  signal.throwIfAborted()
  const reader = response.body?.getReader()
  // Cancelling ends a read that hangs, and with it the connection.
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

/** Counts only time spent waiting for the service: a slow reader of ours is not its fault. */
function startIdle(how: BodyReading): Idle {
  let waitedMs = 0
  let bytes = 0
  const idle: Idle = {
    async whileWaiting(read) {
      const since = how.nowMs()
      how.watch.limit('idle', Math.max(how.idleMs - waitedMs, 1), () =>
        timeoutFailure('The answer of the service stood still.'),
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

/**
 * Strict: a stream that is cut or followed by anything else is an error, where the decoder of `fetch` gives what it
 * has and says nothing.
 */
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
  // Zeros behind the end are skipped by the engine, with all that follows them.
  if (!isWhole || engine.bytesWritten !== counter.received) throw damaged()
}

const damaged = () => contractFailure('The gzip of the service is damaged.')

function toGunzipFailure(error: unknown): unknown {
  if (error instanceof AttemptFailure) return error
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'Z_BUF_ERROR') return brokenOffFailure()
  return typeof code === 'string' && code.startsWith('Z_') ? damaged() : error
}
