import { AppError } from '#lib/contract/faults.ts'
import type { SetTimer } from './byte-stream.ts'
import type { Frame } from './event-ring.ts'

const FRAMES_MAX = 64
const BYTES_MAX = 512 * 1024
const LAST_MS = 5000

export type EventReader = {
  stream: ReadableStream<Uint8Array>
  push(frame: Frame): void
  /** Ends the stream after a last frame; a reader who does not come to it within seconds is given up. */
  end(last: Frame): void
}

/**
 * One reader's stream. It is pulled, and what is not pulled waits in a short queue; a reader who lets it fill is given
 * up, which breaks the connection, and begins anew. `onEnd` is called once, whoever ended it.
 */
export function createEventReader(
  first: readonly Frame[],
  { setTimer, onEnd }: { setTimer: SetTimer; onEnd: () => void },
): EventReader {
  const queue = [...first]
  let stopWait = () => {}
  let wake = () => {}
  let fail = (_error: AppError) => {}
  let isEnding = false
  let isOver = false

  const settle = () => {
    if (isOver) return false
    isOver = true
    queue.length = 0
    stopWait()
    onEnd()
    wake()
    return true
  }
  const giveUp = () => {
    if (settle()) fail(new AppError('busy', 'The reader of events stopped reading.'))
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = (error) => controller.error(error)
      },
      async pull(controller) {
        if (queue.length === 0 && !isEnding) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
        if (isOver) return
        const frame = queue.shift()
        if (frame) controller.enqueue(frame)
        if (queue.length > 0 || !isEnding) return
        settle()
        controller.close()
      },
      cancel: () => void settle(),
    },
    { highWaterMark: 0 },
  )
  return {
    stream,
    push(frame) {
      if (isOver || isEnding) return
      queue.push(frame)
      if (queue.length > FRAMES_MAX || sizeOf(queue) > BYTES_MAX) giveUp()
      else wake()
    },
    end(last) {
      if (isOver || isEnding) return
      isEnding = true
      queue.push(last)
      stopWait = setTimer(giveUp, LAST_MS)
      wake()
    },
  }
}

const sizeOf = (frames: readonly Frame[]) =>
  frames.reduce((bytes, frame) => bytes + frame.byteLength, 0)
