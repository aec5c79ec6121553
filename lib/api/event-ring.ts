import type { LiveEvent } from '#lib/contract/answers/live.ts'

/** An event as it is sent, made once for all readers. */
export type Frame = Uint8Array

type Kept = { number: number; frame: Frame; isStatus: boolean }

export type EventRing = {
  /** Numbers an event, keeps it for those who come again, and gives it as it is sent. */
  add(event: LiveEvent): Frame
  /** The event under the last number and not kept: a snapshot that holds all that was told so far. */
  stamp(event: LiveEvent): Frame
  /** What was told after the event of that id; null where it is of another process, or too long ago. */
  after(id: string): Frame[] | null
}

/**
 * The last events told, numbered `<boot>-<n>`. `boot` names the process: what another one told is not gone on with. Of
 * statuses only the newest is kept, since it holds what the ones before it said.
 */
export function createEventRing(boot: string, size: number): EventRing {
  let kept: Kept[] = []
  let last = 0
  /** Events up to this number are complete only in a reader's memory. */
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

/** One event in the format of server-sent events; JSON has no line break of its own. Without an id it is not resumed from. */
export const toFrame = ({ name, data }: LiveEvent, id: string | null = null): Frame =>
  encoder.encode(
    `${id === null ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  )

/** How long a reader whose stream ends waits before it comes again. */
export const toRetryFrame = (ms: number): Frame => encoder.encode(`retry: ${ms}\n\n`)
