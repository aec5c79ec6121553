import { timeoutFailure, toAttemptFailure } from './attempt-failure.ts'
import type { Watch } from './time-limits.ts'
import type { Transport } from './upstream.ts'

/** What is done with an answer while its attempt lasts. Throws `AttemptFailure` where it is none to use. */
export type Take<T> = (response: Response, watch: Watch) => Promise<T>

export type Exchange<T> = {
  transport: Transport
  watch: Watch
  headersMs: number
  /** Hears of any answer, before it is taken. */
  onAnswer: (response: Response) => void
  take: Take<T>
}

/** Sends one request and takes its answer; one that is not taken ends with its connection. */
export async function exchange<T>(request: Request, how: Exchange<T>): Promise<T> {
  const { transport, watch, headersMs, onAnswer, take } = how
  watch.limit('headers', headersMs, () => timeoutFailure('The service did not answer in time.'))
  const response = await send(transport, request, watch.signal)
  watch.lift('headers')
  try {
    onAnswer(response)
    return await take(response, watch)
  } catch (error) {
    void response.body?.cancel().catch(() => {})
    throw watch.signal.aborted ? watch.signal.reason : error
  }
}

/** Sends, and does not wait for a transport that is deaf to the signal. */
async function send(transport: Transport, request: Request, signal: AbortSignal) {
  signal.throwIfAborted()
  const answer = (async () => await transport(request))()
  const given = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    return await Promise.race([answer, given])
  } catch (error) {
    answer.then(
      (late) => void late.body?.cancel().catch(() => {}),
      () => {},
    )
    throw signal.aborted ? signal.reason : toAttemptFailure(error)
  }
}
