import type { LookupFunction } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { buildConnector, Client, type Dispatcher } from 'undici'
import type { Outcome } from './outbox.ts'
import {
  createOutsideLookup,
  ForbiddenReceiver,
  selectOwnAddresses,
  selectUrlRefusal,
} from './receivers.ts'
import type { Target } from './rules.ts'

/** What came of one attempt; `status` is null where there was no answer. */
export type Delivery = Outcome & { status: number | null }

export type Deliver = (
  target: Pick<Target, 'url' | 'secret'>,
  message: { id: string; body: string },
  options: { at: number; signal?: AbortSignal },
) => Promise<Delivery>

export type Deliverer = { deliver: Deliver; close(): Promise<void> }

export type DeliverOptions = {
  /** Whether messages go to addresses inside the network, too. */
  allowsPrivate: boolean
  /** Under which readers know the dashboard: it is no receiver either. */
  ownOrigin?: string | null
  /** How names are looked up, where not by the system. */
  lookup?: LookupFunction
  /** Certificates to trust, PEM, in place of those that the process trusts. */
  trusted?: string
  deadlineMs?: number
}

/** From the first look at a name to the head of the answer. */
const DEADLINE_MS = 15_000
/** Of an answer nothing is read: so much may have come before the connection is cut. */
const HEADER_BYTES = 16_384
/** A receiver that asks for more patience gets as much. */
const WAIT_MAX_SECONDS = 14_400

const USER_AGENT = 'Bellwether-Alerts/1'

/**
 * Sends messages as Standard Webhooks: https://www.standardwebhooks.com. No redirect is followed, no body of an answer read, no
 * connection kept. The address that the socket connects to is the one that was checked.
 */
export function createDeliverer(options: DeliverOptions): Deliverer {
  const { allowsPrivate, lookup, trusted: ca, deadlineMs = DEADLINE_MS, ownOrigin = null } = options
  const guarded = createOutsideLookup(selectOwnAddresses, lookup)
  const connect = buildConnector({
    timeout: deadlineMs,
    rejectUnauthorized: true,
    ...(ca ? { ca } : {}),
    ...(allowsPrivate ? (lookup ? { lookup } : {}) : { lookup: guarded }),
  })
  const closing = new AbortController()
  const deliver: Deliver = async (target, message, { at, signal }) => {
    const refusal = allowsPrivate
      ? null
      : selectUrlRefusal(target.url, selectOwnAddresses(), ownOrigin)
    if (refusal !== null) return toForbidden(refusal)
    const deadline = AbortSignal.timeout(deadlineMs)
    // One for each attempt: a client whose answer is cut off connects again, for nothing, unless it is destroyed.
    const client = new Client(target.url.origin, {
      connect,
      headersTimeout: deadlineMs,
      maxHeaderSize: HEADER_BYTES,
      pipelining: 1,
    })
    try {
      const answer = await client.request({
        path: `${target.url.pathname}${target.url.search}`,
        method: 'POST',
        headers: {
          ...toSignedHeaders(target.secret, message, at),
          'content-type': 'application/json',
          'user-agent': USER_AGENT,
          connection: 'close',
        },
        body: message.body,
        signal: AbortSignal.any([deadline, closing.signal, ...(signal ? [signal] : [])]),
      })
      answer.body.on('error', () => {})
      return toDelivery(answer)
    } catch (error) {
      return toFailure(error, deadline.aborted)
    } finally {
      await client.destroy()
    }
  }
  return { deliver, close: async () => closing.abort() }
}

/** The headers of the standard; `at` in seconds since 1970. */
const toSignedHeaders = (
  secret: string,
  { id, body }: { id: string; body: string },
  at: number,
) => ({
  'webhook-id': id,
  'webhook-timestamp': String(at),
  'webhook-signature': new Webhook(secret).sign(id, new Date(at * 1000), body),
})

const toForbidden = (reason: string): Delivery => ({
  ...{ delivered: false, status: null, reason, isFinal: true, waitSeconds: 0 },
})

/** Clients are told by these to come again: what they sent is not at fault. */
const COME_AGAIN = [408, 425, 429]

function toDelivery({ statusCode: status, headers }: Dispatcher.ResponseData): Delivery {
  if (status >= 200 && status < 300) return { delivered: true, status }
  const failed = { delivered: false, status, waitSeconds: 0 } as const
  if (status >= 300 && status < 400) {
    const reason = `It answered with a redirect (${status}), and none is followed.`
    return { ...failed, reason, isFinal: false }
  }
  if (status === 410) {
    return { ...failed, reason: 'It answered that it is gone for good (410).', isFinal: true }
  }
  if (status >= 400 && status < 500 && !COME_AGAIN.includes(status)) {
    return { ...failed, reason: `It refused the message (${status}).`, isFinal: true }
  }
  const waitSeconds = toWait(headers['retry-after'])
  return { ...failed, reason: `It answered with ${status}.`, isFinal: false, waitSeconds }
}

/** A date is for those who wait longer than we do. */
function toWait(header: string | string[] | undefined): number {
  const text = String(header ?? '')
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text), WAIT_MAX_SECONDS) : 0
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nobody answers at its address.',
  ECONNRESET: 'It broke the connection off.',
  ENOTFOUND: 'Its name leads nowhere.',
  EAI_AGAIN: 'Its name could not be looked up.',
  EHOSTUNREACH: 'There is no way to its address.',
  ENETUNREACH: 'There is no way to its address.',
  ETIMEDOUT: 'It did not answer in time.',
  UND_ERR_CONNECT_TIMEOUT: 'It did not answer in time.',
  UND_ERR_HEADERS_TIMEOUT: 'It did not answer in time.',
  UND_ERR_HEADERS_OVERFLOW: 'Its answer does not speak HTTP as it should.',
  UND_ERR_SOCKET: 'It broke the connection off.',
}

/** In words of ours: what the system says may hold the address, which is shown to nobody. */
function toFailure(error: unknown, isLate: boolean): Delivery {
  const found = findForbidden(error)
  if (found) return toForbidden(found.message)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = isLate ? 'It did not answer in time.' : (REASONS[code] ?? toOther(code))
  return {
    ...{ delivered: false, status: null, reason, isFinal: false, waitSeconds: 0 },
  }
}

const toOther = (code: string) =>
  /CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code)
    ? 'Its certificate is not one to be trusted.'
    : 'The connection failed.'

function findForbidden(error: unknown): ForbiddenReceiver | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ForbiddenReceiver) return at
    if (at instanceof AggregateError) {
      const inner = at.errors.map(findForbidden).find((one) => one !== null)
      if (inner) return inner
    }
  }
  return null
}
