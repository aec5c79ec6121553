import { AppError } from '#lib/contract/faults.ts'

/** Runs something later, and gives what calls it off. */
export type SetTimer = (run: () => void, delayMs: number) => () => void

type ByteStreamOptions = {
  setTimer: SetTimer
  /** Somebody who wants nothing for so long has gone away without saying so. */
  idleMs: number
  /** However eager somebody is, this must be enough. */
  wholeMs: number
  signal: AbortSignal
  /** Called once, as soon as it is over: read to its end, broken off, or given up. */
  onEnd: () => void
}

/**
 * Chunks as a stream of bytes. It is pulled: a slow reader slows the source. A reader who goes away or stops reading
 * ends the source; a failure of the source, and a reader given up, make the stream fail, so that what came of it can
 * never be taken for the whole.
 */
export function toByteStream(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  options: ByteStreamOptions,
): ReadableStream<Uint8Array> {
  const { setTimer, idleMs, wholeMs, signal, onEnd } = options
  let fail = (_error: unknown) => {}
  let stopIdle = () => {}
  let ended = false

  const end = () => {
    if (ended) return
    ended = true
    stopIdle()
    stopWhole()
    signal.removeEventListener('abort', end)
    void chunks.return().catch(() => {})
    onEnd()
  }
  const giveUp = (message: string) => {
    end()
    fail(new AppError('busy', message))
  }
  const awaitPull = () => {
    stopIdle = setTimer(() => giveUp('The reader stopped reading.'), idleMs)
  }
  const stopWhole = setTimer(() => giveUp('The reader took too long.'), wholeMs)
  signal.addEventListener('abort', end)
  awaitPull()
  if (signal.aborted) end()

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = (error) => controller.error(error)
      },
      async pull(controller) {
        stopIdle()
        try {
          const { done, value } = await chunks.next()
          if (ended) throw new AppError('busy', 'The export was broken off.')
          if (done) {
            end()
            controller.close()
            return
          }
          controller.enqueue(value)
          awaitPull()
        } catch (error) {
          end()
          throw error
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

/** Texts as bytes; a text is a chunk. */
export async function* toChunks(
  texts: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}
