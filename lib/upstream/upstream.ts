import type { ParsedRow } from '#lib/contract/incoming-rating.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'

/**
 * Carries one request to a service and brings its answer back untouched: no redirect followed, no body decoded, so
 * `content-encoding` and `content-length` still speak of the bytes in `body`. The embedded service is one in itself.
 */
export type Transport = (request: Request) => Promise<Response>

/** Requests spent, against the limits of the key. `limit` null: none. */
export type Budget = {
  minute: { limit: number | null; used: number }
  month: { limit: number | null; used: number }
}

/** One page of a service: the rows as parsed, and `data` as it came, for the proxy. */
export type ServicePage = { page: number; rows: ParsedRow[]; data: unknown[] }

/**
 * A dump on its way in. `body` gives the decoded bytes and throws AppError where they end early: a length that does
 * not match, a gzip stream that is cut. `totalBytes` is the decoded size where the service said it, else null.
 */
export type DumpDownload = {
  body: AsyncIterable<Uint8Array>
  totalBytes: number | null
  etag: string | null
  lastModified: string | null
}

export type CallOptions = { signal?: AbortSignal }

/**
 * The client of any service that speaks the specification. Every call charges the ledger before it is sent and throws
 * AppError: `budget_spent` (with retryAfterSeconds) when a limit would be passed, `upstream_refused` for a key that is
 * not accepted, `upstream_unavailable`, `upstream_timeout`, `upstream_contract` for the rest. No message, cause or log
 * line ever holds the key or text that the service wrote.
 */
export type Upstream = {
  fetchPage(page: number, options?: CallOptions): Promise<ServicePage>
  fetchDump(kind: DumpKind, options?: CallOptions): Promise<DumpDownload>
  budget(): Budget
  /** For people: what is being read, without key, userinfo or query. */
  service: { kind: 'embedded' | 'remote'; address: string }
}
