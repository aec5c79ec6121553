/**
 * How an answer leaves. `start`: at once, never (the connection stays open and silent), or a reset instead. `headPause`:
 * milliseconds before each line of the headers. `piece`: at most so many bytes of the body at a time, with `pause`
 * milliseconds before each. `stop`: after so many bytes of the body, or half of it, the rest never comes; `end` closes
 * the connection in good order, `reset` breaks it, `hold` leaves it open, a promise goes on once it resolves.
 * `framing`: whether a body without length comes in chunks or ends with the connection.
 */
export type Delivery = {
  start: 'now' | 'never' | 'reset'
  headPause: number
  piece: number
  pause: number
  stop: { at: number | 'half'; how: 'end' | 'reset' | 'hold' | Promise<void> } | null
  framing: 'chunked' | 'close'
}

export const PLAINLY: Delivery = {
  start: 'now',
  headPause: 0,
  piece: 65_536,
  pause: 0,
  stop: null,
  framing: 'chunked',
}

/** Waits so many milliseconds; rejects where the signal fires. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

export type Ending = 'whole' | 'end' | 'reset' | 'hold'

/** The pieces of a body as they leave, and how they end. */
export async function* toPieces(
  body: Uint8Array,
  { piece, pause, stop }: Delivery,
  { wait, signal }: { wait: Pause; signal: AbortSignal },
): AsyncGenerator<Uint8Array, Ending> {
  const stopAt = stop === null ? body.byteLength : toBytes(stop.at, body.byteLength)
  yield* toRun(body, { from: 0, to: stopAt })
  if (stop === null) return 'whole'
  if (typeof stop.how === 'string') return stop.how
  await stop.how
  yield* toRun(body, { from: stopAt, to: body.byteLength })
  return 'whole'

  async function* toRun(bytes: Uint8Array, { from, to }: { from: number; to: number }) {
    for (let at = from; at < to; at += piece) {
      if (pause > 0) await wait(pause, signal)
      yield bytes.subarray(at, Math.min(at + piece, to))
    }
  }
}

const toBytes = (at: number | 'half', size: number) =>
  at === 'half' ? Math.floor(size / 2) : Math.min(at, size)
