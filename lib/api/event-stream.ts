import type { LiveEvent } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { SetTimer } from './byte-stream.ts'

const READERS_MAX = 500
const CLIENT_MAX = 50
const BUSY_RETRY_SECONDS = 60
const STOPPING_RETRY_SECONDS = 5
const LIFE_MS = 3_600_000
const RETRY_MS = 1000
/** Long, so that excess windows do not evict each other every second. */
const SHARE_RETRY_MS = 30_000
const RESTART_MS = 5000

type EventReaders = {
  /** Throws AppError `busy`. */
  checkRoom(client: string): void
  /** Ends the client's oldest stream if its share is full. */
  add(client: string, first: readonly Frame[]): ReadableStream<Uint8Array>
  send(frame: Frame): void
  count(): number
  close(): void
}

export function createEventReaders(setTimer: SetTimer): EventReaders {
  const readers = new Map<EventReader, string>()
  let isClosed = false
  const selectOwn = (client: string, isEnding: boolean) =>
    [...readers].flatMap(([reader, of]) =>
      of === client && reader.isEnding() === isEnding ? [reader] : [],
    )
  const makeRoom = (client: string) => {
    const [oldest, ...others] = selectOwn(client, false)
    if (others.length + 1 < CLIENT_MAX) return
    const ending = selectOwn(client, true)
    if (ending.length >= CLIENT_MAX) ending[0]?.giveUp()
    oldest?.end(toRetryFrame(SHARE_RETRY_MS))
  }
  return {
    checkRoom(client) {
      if (isClosed) {
        const retryAfterSeconds = STOPPING_RETRY_SECONDS
        throw new AppError('busy', 'The dashboard is stopping.', { retryAfterSeconds })
      }
      if (readers.size < READERS_MAX || selectOwn(client, false).length >= CLIENT_MAX) return
      const message = `At most ${READERS_MAX} clients can read events at once.`
      throw new AppError('busy', message, { retryAfterSeconds: BUSY_RETRY_SECONDS })
    },
    add(client, first) {
      makeRoom(client)
      const onEnd = () => {
        readers.delete(reader)
        stopLife()
      }
      const reader = createEventReader([toRetryFrame(RETRY_MS), ...first], { setTimer, onEnd })
      const stopLife = setTimer(() => reader.end(toRetryFrame(RETRY_MS)), LIFE_MS)
      readers.set(reader, client)
      return reader.stream
    },
    send(frame) {
      for (const reader of readers.keys()) reader.push(frame)
    },
    count: () => readers.size,
    close() {
      isClosed = true
      for (const reader of [...readers.keys()]) reader.end(toRetryFrame(RESTART_MS))
    },
  }
}

const FRAMES_MAX = 64
const BYTES_MAX = 512 * 1024
const LAST_MS = 5000

type EventReader = {
  stream: ReadableStream<Uint8Array>
  push(frame: Frame): void
  end(last: Frame): void
  isEnding(): boolean
  giveUp(): void
}

/** A reader whose queue is full is disconnected and has to reconnect. */
function createEventReader(
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
    if (settle()) fail(new AppError('busy', 'The client of the event stream stopped reading.'))
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
    isEnding: () => isEnding,
    giveUp,
  }
}

const sizeOf = (frames: readonly Frame[]) =>
  frames.reduce((bytes, frame) => bytes + frame.byteLength, 0)

export type Frame = Uint8Array

type BufferedEvent = { number: number; frame: Frame; isStatus: boolean }

type ReplayBuffer = {
  add(event: LiveEvent): Frame
  stamp(event: LiveEvent): Frame
  /** Null if `id` is too old or from a different process. */
  after(id: string): Frame[] | null
}

/** Keeps only the latest status, which supersedes earlier ones. */
export function createReplayBuffer(boot: string, size: number): ReplayBuffer {
  let kept: BufferedEvent[] = []
  let last = 0
  let forgotten = 0

  const afterNumber = (number: number) =>
    kept.filter((event) => event.number > number).map(({ frame }) => frame)

  return {
    add(event) {
      last += 1
      const isStatus = event.name === 'status'
      const frame = toFrame(event, `${boot}-${last}`)
      if (isStatus) kept = kept.filter((earlier) => !earlier.isStatus)
      kept.push({ number: last, frame, isStatus })
      if (kept.length > size) forgotten = kept.shift()?.number ?? forgotten
      return frame
    },
    stamp: (event) => toFrame(event, `${boot}-${last}`),
    after(id) {
      if (!id.startsWith(`${boot}-`)) return null
      const text = id.slice(boot.length + 1)
      const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return number >= forgotten && number <= last ? afterNumber(number) : null
    },
  }
}

const encoder = new TextEncoder()

export const toFrame = ({ name, data }: LiveEvent, id: string | null = null): Frame =>
  encoder.encode(
    `${id === null ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  )

const toRetryFrame = (ms: number): Frame => encoder.encode(`retry: ${ms}\n\n`)
