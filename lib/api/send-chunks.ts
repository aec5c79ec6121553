import { toByteStream } from './byte-stream.ts'
import type { RouteContext } from './route.ts'

const IDLE_MS = 60_000
const WHOLE_MS = 3_600_000

export type Chunks = AsyncGenerator<Uint8Array, void, undefined>

type Sent = Pick<RouteContext, 'deps' | 'request'> & {
  headers: Headers
  /** Called once, not for HEAD; may still set headers. */
  chunks: () => Chunks | Promise<Chunks>
  /** Called once it is over, but not where this fails. */
  onEnd: () => void
}

/** A file of unknown length, sent as it is made. It fails before its first row with an answer that says so. */
export async function sendChunks({ deps, request, headers, chunks, onEnd }: Sent) {
  if (request.method === 'HEAD') {
    // Without a length: programs that would read a file in ranges, each of another edition, fetch it whole instead.
    onEnd()
    return new Response(null, { headers })
  }
  const body = toByteStream(await begin(await chunks()), {
    setTimer: deps.setTimer,
    idleMs: IDLE_MS,
    wholeMs: WHOLE_MS,
    signal: request.signal,
    onEnd,
  })
  return new Response(body, { headers })
}

/** The same with its first rows made already: what fails at once is an answer that says so, not one that breaks off. */
async function begin(chunks: Chunks): Promise<Chunks> {
  const first = [await chunks.next(), await chunks.next()]
  return (async function* () {
    try {
      for (const { done, value } of first) {
        if (done) return
        yield value
      }
      yield* chunks
    } finally {
      await chunks.return()
    }
  })()
}
