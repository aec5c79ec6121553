import { AppError } from '#lib/contract/faults.ts'

export type SetTimer = (run: () => void, delayMs: number) => () => void

type ByteStreamOptions = {
  setTimer: SetTimer
  idleMs: number
  wholeMs: number
  signal: AbortSignal
  /** Called once. */
  onEnd: () => void
}

/** Fails rather than ends if aborted: a partial file must not look complete. */
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
    stopIdle = setTimer(() => giveUp('The client stopped reading.'), idleMs)
  }
  const stopWhole = setTimer(() => giveUp('The client took too long.'), wholeMs)
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
          if (ended) throw new AppError('busy', 'The export was interrupted.')
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

export async function* toChunks(
  texts: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}
