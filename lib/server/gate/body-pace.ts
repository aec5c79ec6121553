import type { IncomingMessage, ServerResponse } from 'node:http'

const PERIOD_MS = 30_000
/** 8 KiB a second. Only uploads of price files are larger. */
const PERIOD_BYTES = 30 * 8 * 1024

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

export type SetRepeating = (ms: number, run: () => void) => () => void

/** Every 30 seconds a body must bring 240 KiB or its end. Otherwise the client gets 408. */
export function requirePace(
  request: IncomingMessage,
  response: ServerResponse,
  repeating: SetRepeating = everyMs,
): void {
  if (!(Number(request.headers['content-length']) > 0)) return
  const { socket } = request
  let before = socket.bytesRead
  const stop = repeating(PERIOD_MS, () => {
    const bytes = socket.bytesRead - before
    before = socket.bytesRead
    if (request.complete) return stop()
    if (bytes >= PERIOD_BYTES) return
    stop()
    if (!response.headersSent) socket.write(TIMED_OUT)
    socket.destroySoon()
  })
  request.once('close', stop)
}

const everyMs: SetRepeating = (ms, run) => {
  const timer = setInterval(run, ms).unref()
  return () => clearInterval(timer)
}
