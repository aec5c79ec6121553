import type { ParsedRow } from '#lib/contract/rating.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'

/**
 * Carries one request to a service and brings its answer back untouched: no redirect followed, no body decoded, so
 * `content-encoding` and `content-length` still speak of the bytes in `body`. The embedded service is one in itself.
 */
export type Transport = (request: Request) => Promise<Response>

/**
 * What a request is spent for. The weekly dumps come first: requests of the month are kept back for them. What people
 * click comes last: it gets a share of what is left, so that nobody can spend the month of a follow.
 */
export const PURPOSES = ['dump', 'follow', 'people'] as const
export type Purpose = (typeof PURPOSES)[number]

/**
 * Requests spent, against the limits of the key. `limit` null: none. `spent` splits those of this month. `reserved`: how
 * many are kept back for the dumps of this month. `pausedUntil` (seconds since 1970): until when nothing is sent, because
 * the service asked for that, does not answer, or does not accept the key; null where requests may be sent. It and all
 * counts outlive a restart.
 */
export type Budget = {
  minute: { limit: number | null; used: number }
  month: { limit: number | null; used: number }
  spent: Record<Purpose, number>
  reserved: number
  pausedUntil: number | null
  /** How far the service's clock is ahead of ours, in seconds; null while it has not said its time. */
  clockSkewSeconds: number | null
}

/**
 * What an answer is told apart by; null where the service does not say it, or where it may stand for two versions: a
 * date of the last minute before the answer.
 */
export type Validators = { etag: string | null; lastModified: string | null }

/**
 * A page of a service: the rows as parsed, and `data` as it came, for the proxy. `isNotFound`: the service said 404
 * behind page 1, which it may do behind the last one; then there are no rows.
 */
export type ServicePage = {
  page: number
  rows: ParsedRow[]
  data: unknown[]
  isNotFound: boolean
  validators: Validators
}

/**
 * A dump on its way in. `body` gives the decoded bytes and throws AppError where they end early: a length that does
 * not match, a gzip stream that is cut. `from`: how many bytes of the whole, in `part`, were left out because they are
 * held already; 0 where the whole comes. `totalBytes` is the decoded size of the whole where the service said it.
 * `hasKnownEnd`: a body that ends without an error is whole, by its length, chunked coding or gzip.
 */
export type DumpDownload = {
  body: AsyncIterable<Uint8Array>
  from: number
  totalBytes: number | null
  hasKnownEnd: boolean
  validators: Validators
}

/** `purpose` where it is another than the call's own: a page is read to follow, a dump for the dump. */
export type CallOptions = { signal?: AbortSignal; purpose?: Purpose }

export type DumpOptions = CallOptions & {
  /**
   * Of a dump that broke off: its rest is asked for, and comes where the service proves that it is the same dump. Where
   * it answers with anything else than that or the whole, the whole is asked for by a second request.
   */
  part?: Validators & { bytes: number }
}

/**
 * The client of any service that speaks the specification. Every call charges the ledger before it is sent, an answer
 * that nothing changed like any other, and throws AppError: `budget_spent` (with retryAfterSeconds) when a limit would be
 * passed or what is kept for another purpose be touched, `upstream_refused` for a key that is not accepted,
 * `upstream_unavailable`, `upstream_timeout`, `upstream_contract` for the rest. While nothing may be sent, each call is
 * refused at once, with the reason and retryAfterSeconds. No message, cause or log line ever holds the key or text that
 * the service wrote.
 */
export type Upstream = {
  fetchPage(page: number, options?: CallOptions): Promise<ServicePage>
  /** null where the page is still what these validators name. */
  fetchPageIfChanged(
    page: number,
    held: Validators,
    options?: CallOptions,
  ): Promise<ServicePage | null>
  fetchDump(kind: DumpKind, options?: DumpOptions): Promise<DumpDownload>
  /** null where the dump is still what these validators name. */
  fetchDumpIfChanged(
    kind: DumpKind,
    held: Validators,
    options?: DumpOptions,
  ): Promise<DumpDownload | null>
  budget(): Budget
  /** For people: what is being read, without key, userinfo or query. */
  service: { kind: 'embedded' | 'remote'; address: string; invented: boolean }
}
