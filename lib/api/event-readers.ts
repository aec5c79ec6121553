import { AppError } from '#lib/contract/faults.ts'
import type { SetTimer } from './byte-stream.ts'
import { createEventReader, type EventReader } from './event-reader.ts'
import { type Frame, toRetryFrame } from './event-ring.ts'

const READERS_MAX = 500
const BUSY_RETRY_SECONDS = 60
const STOPPING_RETRY_SECONDS = 5
const LIFE_MS = 3_600_000
const RETRY_MS = 1000
/** By then a restarted process answers again, so that its readers come to no closed door. */
const RESTART_MS = 5000

export type EventReaders = {
  /** Throws AppError('busy') where nobody is let in. */
  checkRoom(): void
  /** A stream for one more reader, of at most an hour. */
  add(first: readonly Frame[]): ReadableStream<Uint8Array>
  send(frame: Frame): void
  count(): number
  close(): void
}

/** Everybody who listens. */
export function createEventReaders(setTimer: SetTimer): EventReaders {
  const readers = new Set<EventReader>()
  let isClosed = false
  return {
    checkRoom() {
      if (isClosed) {
        const retryAfterSeconds = STOPPING_RETRY_SECONDS
        throw new AppError('busy', 'The dashboard is stopping.', { retryAfterSeconds })
      }
      if (readers.size < READERS_MAX) return
      const message = `More than ${READERS_MAX} readers of events at once are too many.`
      throw new AppError('busy', message, { retryAfterSeconds: BUSY_RETRY_SECONDS })
    },
    add(first) {
      const onEnd = () => {
        readers.delete(reader)
        stopLife()
      }
      const reader = createEventReader([toRetryFrame(RETRY_MS), ...first], { setTimer, onEnd })
      const stopLife = setTimer(() => reader.end(toRetryFrame(RETRY_MS)), LIFE_MS)
      readers.add(reader)
      return reader.stream
    },
    send(frame) {
      for (const reader of readers) reader.push(frame)
    },
    count: () => readers.size,
    close() {
      isClosed = true
      for (const reader of [...readers]) reader.end(toRetryFrame(RESTART_MS))
    },
  }
}
