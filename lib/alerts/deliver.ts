import type { LookupFunction } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { buildConnector, type Dispatcher, Pool } from 'undici'
import {
  createProxiedAgent,
  isProxyRefusal,
  NO_PROXIES,
  type Proxies,
} from '#lib/http/proxied-agent.ts'
import type { Outcome } from './outbox.ts'
import {
  checkTunnels,
  createOutsideLookup,
  ForbiddenReceiver,
  selectOwnAddresses,
  selectUrlRefusal,
} from './receivers.ts'
import type { Target } from './rules.ts'

/** `status` is null if there was no response. */
export type Delivery = Outcome & { status: number | null }

type Deliver = (
  target: Pick<Target, 'url' | 'secret'>,
  message: { id: string; body: string },
  options: { at: number; signal?: AbortSignal },
) => Promise<Delivery>

export type Deliverer = { deliver: Deliver; close(): Promise<void> }

export type DeliverOptions = {
  allowsPrivate: boolean
  proxies?: Proxies
  /** The dashboard's own public origin, which is rejected as a receiver. */
  ownOrigin?: string | null
  lookup?: LookupFunction
  trusted?: string
  deadlineMs?: number
}

/** From DNS look-up to response headers. */
const DEADLINE_MS = 15_000
const HEADER_BYTES = 16_384
/** Upper bound for `Retry-After`. */
const WAIT_MAX_SECONDS = 14_400

const USER_AGENT = 'Bellwether-Alerts/1'

/** https://www.standardwebhooks.com. Follows no redirects, reads no response body. */
export function createDeliverer(options: DeliverOptions): Deliverer {
  const { allowsPrivate, lookup, trusted: ca, deadlineMs = DEADLINE_MS, ownOrigin = null } = options
  const { proxies = NO_PROXIES } = options
  const guarded = createOutsideLookup(selectOwnAddresses, lookup)
  const tls = { timeout: deadlineMs, rejectUnauthorized: true, ...(ca ? { ca } : {}) }
  const connect = buildConnector({
    ...tls,
    ...(allowsPrivate ? (lookup ? { lookup } : {}) : { lookup: guarded }),
  })
  const tunnels = {
    proxyTunnel: true,
    ...(allowsPrivate
      ? {}
      : {
          clientFactory: (proxy: URL, settings: Pool.Options) =>
            new Pool(proxy, settings).compose(checkTunnels(guarded)),
        }),
  }
  const closing = new AbortController()
  const deliver: Deliver = async (target, message, { at, signal }) => {
    const refusal = allowsPrivate
      ? null
      : selectUrlRefusal(target.url, selectOwnAddresses(), ownOrigin)
    if (refusal !== null) return toForbidden(refusal)
    const deadline = AbortSignal.timeout(deadlineMs)
    // A shared undici client would reconnect after a response that is cut off.
    const client = createProxiedAgent({
      ...tunnels,
      proxies,
      tlsOptions: tls,
      connect,
      headersTimeout: deadlineMs,
      maxHeaderSize: HEADER_BYTES,
      pipelining: 1,
    })
    try {
      const answer = await client.request({
        origin: target.url.origin,
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
  delivered: false,
  status: null,
  reason,
  isFinal: true,
  waitSeconds: 0,
})

const COME_AGAIN = [408, 425, 429]

function toDelivery({ statusCode: status, headers }: Dispatcher.ResponseData): Delivery {
  if (status >= 200 && status < 300) return { delivered: true, status }
  const failed = { delivered: false, status, waitSeconds: 0 } as const
  if (status >= 300 && status < 400) {
    const reason = `It answered with a redirect (${status}); redirects are not followed.`
    return { ...failed, reason, isFinal: false }
  }
  if (status === 410) {
    return { ...failed, reason: 'It answered 410: permanently gone.', isFinal: true }
  }
  if (status >= 400 && status < 500 && !COME_AGAIN.includes(status)) {
    return { ...failed, reason: `It refused the message (${status}).`, isFinal: true }
  }
  const waitSeconds = toWait(headers['retry-after'])
  return { ...failed, reason: `It answered with ${status}.`, isFinal: false, waitSeconds }
}

/** Supports seconds only; a date counts as 0. */
function toWait(header: string | string[] | undefined): number {
  const text = String(header ?? '')
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text), WAIT_MAX_SECONDS) : 0
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Its address does not respond.',
  ECONNRESET: 'It closed the connection.',
  ENOTFOUND: 'Its host name does not exist.',
  EAI_AGAIN: 'Its host name could not be resolved.',
  EHOSTUNREACH: 'There is no route to its address.',
  ENETUNREACH: 'There is no route to its address.',
  ETIMEDOUT: 'It did not answer in time.',
  UND_ERR_CONNECT_TIMEOUT: 'It did not answer in time.',
  UND_ERR_HEADERS_TIMEOUT: 'It did not answer in time.',
  UND_ERR_HEADERS_OVERFLOW: 'Its response is not valid HTTP.',
  UND_ERR_SOCKET: 'It closed the connection.',
}

/** System messages may contain the secret address. */
function toFailure(error: unknown, isLate: boolean): Delivery {
  const found = findForbidden(error)
  if (found) return toForbidden(found.message)
  const reason = isLate ? 'It did not answer in time.' : toReason(error)
  return {
    delivered: false,
    status: null,
    reason,
    isFinal: false,
    waitSeconds: 0,
  }
}

function toReason(error: unknown): string {
  if (isProxyRefusal(error)) return 'The proxy refuses to connect to it.'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? toOther(code)
}

const toOther = (code: string) =>
  /CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code)
    ? 'Its certificate is not trusted.'
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
