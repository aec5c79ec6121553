import { AppError, type Fault } from '#lib/contract/faults.ts'
import { isProxyRefusal } from '#lib/http/proxied-agent.ts'
import { parseDate } from './answer-headers.ts'

type Detail = { isWorthRetrying?: boolean; retryAfterSeconds?: number | undefined; status?: number }

export class AttemptFailure extends Error {
  readonly error: AppError
  readonly isWorthRetrying: boolean
  /** HTTP status, or the code of an envelope sent with 200. */
  readonly status: number | undefined
  readonly isOutage: boolean

  constructor(fault: Fault, message: string, detail: Detail = {}) {
    super(message)
    this.name = 'AttemptFailure'
    this.error = new AppError(fault, message, { retryAfterSeconds: detail.retryAfterSeconds })
    this.isWorthRetrying = detail.isWorthRetrying ?? false
    this.status = detail.status
    const isAway = fault === 'upstream_unavailable' || fault === 'upstream_timeout'
    this.isOutage = isAway && detail.status !== 429
  }
}

export const contractFailure = (message: string): AttemptFailure =>
  new AttemptFailure('upstream_contract', message)

export const timeoutFailure = (message: string): AttemptFailure =>
  new AttemptFailure('upstream_timeout', message, { isWorthRetrying: true })

export const brokenOffFailure = (): AttemptFailure =>
  new AttemptFailure('upstream_unavailable', 'The response of the service ended early.', {
    isWorthRetrying: true,
  })

export const toThrown = (error: unknown): unknown =>
  error instanceof AttemptFailure ? error.error : error

/** Keeps nothing of unknown errors: they may contain anything. */
export function toAttemptFailure(error: unknown): AttemptFailure {
  if (error instanceof AttemptFailure) return error
  if (!(error instanceof TransportFailure)) {
    return new AttemptFailure('upstream_unavailable', 'The service could not be reached.')
  }
  if (error.kind === 'timeout') return timeoutFailure(error.message)
  if (error.kind === 'protocol') return contractFailure(error.message)
  return new AttemptFailure('upstream_unavailable', error.message, {
    isWorthRetrying: error.kind === 'network',
  })
}

/** Ignores the text: it may repeat the key. `now` in Unix seconds. */
export function toStatusFailure(status: number, headers: Headers, now: number): AttemptFailure {
  if (status === 401 || status === 403) {
    return new AttemptFailure('upstream_refused', 'The service does not accept the key.', {
      status,
    })
  }
  if (status === 429 || isRetryStatus(status) || status >= 500) {
    return toUnavailable(status, headers, now)
  }
  return new AttemptFailure('upstream_contract', toContractMessage(status), { status })
}

function toUnavailable(status: number, headers: Headers, now: number): AttemptFailure {
  // A date refers to the sender's clock.
  const said = parseRetryAfter(headers.get('retry-after'), parseDate(headers) ?? now) ?? undefined
  if (status !== 429) {
    return new AttemptFailure('upstream_unavailable', 'The service reported an internal error.', {
      status,
      isWorthRetrying: isRetryStatus(status),
      retryAfterSeconds: said,
    })
  }
  return new AttemptFailure('upstream_unavailable', 'The service asks for fewer requests.', {
    status,
    isWorthRetrying: true,
    retryAfterSeconds: said ?? RETRY_RULES.unsaidSeconds,
  })
}

function toContractMessage(status: number): string {
  if (status === 304) return 'The service answered 304 to an unconditional request.'
  if (status >= 300 && status < 400) {
    return 'The service redirects. Redirects are not followed: check its address.'
  }
  if (status === 404) return 'The service has nothing at this address. Check the address.'
  return 'The service answered with an unexpected status.'
}

type TransportFailureKind = 'network' | 'timeout' | 'tls' | 'protocol' | 'unknown'

/** Never includes the library's message: it may contain the key. */
export class TransportFailure extends Error {
  readonly kind: TransportFailureKind

  constructor(kind: TransportFailureKind, message: string) {
    super(message)
    this.name = 'TransportFailure'
    this.kind = kind
  }
}

const KNOWN: Readonly<Record<string, [TransportFailureKind, string]>> = {
  ECONNREFUSED: ['network', 'The service refused the connection.'],
  ECONNRESET: ['network', 'The service closed the connection.'],
  EPIPE: ['network', 'The service closed the connection.'],
  UND_ERR_SOCKET: ['network', 'The service closed the connection.'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['network', 'The response of the service ended early.'],
  HPE_INVALID_EOF_STATE: ['network', 'The response of the service ended early.'],
  ENOTFOUND: ['network', 'The service’s host name cannot be resolved.'],
  EAI_AGAIN: ['network', 'The service’s host name cannot be resolved.'],
  EAI_FAIL: ['network', 'The service’s host name cannot be resolved.'],
  ENETUNREACH: ['network', 'There is no network route to the service.'],
  ENETDOWN: ['network', 'There is no network route to the service.'],
  EHOSTUNREACH: ['network', 'There is no network route to the service.'],
  EADDRNOTAVAIL: ['network', 'There is no network route to the service.'],
  ETIMEDOUT: ['timeout', 'The service did not accept the connection in time.'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'The service did not accept the connection in time.'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'The service did not answer in time.'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'The response of the service stalled.'],
  UND_ERR_HEADERS_OVERFLOW: ['protocol', 'The response headers of the service are too large.'],
  EPROTO: ['tls', 'The TLS connection to the service failed.'],
}

const CERTIFICATE = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)/
const TLS = /^ERR_(?:TLS|SSL)_/

export function toTransportFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error
  const code = codeOf(error)
  const known = Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined
  if (known) return new TransportFailure(...known)
  if (CERTIFICATE.test(code) || code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new TransportFailure('tls', 'The service’s certificate is not trusted.')
  }
  if (TLS.test(code)) {
    return new TransportFailure('tls', 'The TLS connection to the service failed.')
  }
  if (isProxyRefusal(error)) {
    return new TransportFailure('network', 'The proxy refuses to connect to the service.')
  }
  // The parser does not always set a code.
  if (code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError')) {
    return new TransportFailure('protocol', 'The response of the service is not valid HTTP.')
  }
  return new TransportFailure('unknown', 'The request to the service failed.')
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/** Only GET is sent, so retries are safe. */
export const RETRY_RULES = {
  attempts: 3,
  statuses: [429, 500, 502, 503, 504],
  backoffBaseMs: 500,
  backoffCapMs: 8_000,
  patienceSeconds: 30,
  /** For a 429 without a delay. Retrying faster would waste the monthly limit. */
  unsaidSeconds: 60,
  /** Of a delay that the service asks for: no fault of it may end a sync for longer. */
  longestSeconds: 86_400,
} as const

const SECONDS = /^\d+$/
const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/

/** Seconds, at least 1. Null if absent, invalid, zero or past: then nothing was asked for. */
export function parseRetryAfter(text: string | null, now: number): number | null {
  const value = text?.trim() ?? ''
  if (SECONDS.test(value)) return within(Number(value))
  if (!HTTP_DATE.test(value)) return null
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : within(Math.ceil(at / 1000 - now))
}

const within = (seconds: number) =>
  seconds < 1 ? null : Math.min(seconds, RETRY_RULES.longestSeconds)

/** Full jitter. `attempt` counts from 1. */
export function backoffMs(attempt: number, random: () => number): number {
  const { backoffBaseMs, backoffCapMs } = RETRY_RULES
  return random() * Math.min(backoffCapMs, backoffBaseMs * 2 ** (attempt - 1))
}

const isRetryStatus = (status: number): boolean =>
  RETRY_RULES.statuses.some((one) => one === status)
