import type { ParsedRow } from '#lib/contract/rating.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'

/** No redirects, no decoding: headers describe the raw body. */
export type Transport = (request: Request) => Promise<Response>

/** By priority: dumps have a reserve, people only a share. */
export const PURPOSES = ['dump', 'follow', 'people'] as const
export type Purpose = (typeof PURPOSES)[number]

/** Null `limit`: unlimited. `pausedUntil`: Unix seconds, null if requests may be sent. */
export type Budget = {
  minute: { limit: number | null; used: number }
  month: { limit: number | null; used: number }
  spent: Record<Purpose, number>
  reserved: number
  pausedUntil: number | null
  /** Null if unknown. */
  clockSkewSeconds: number | null
}

/** Null if absent or ambiguous. */
export type Validators = { etag: string | null; lastModified: string | null }

/** `data`: as received. `isNotFound`: 404 past page 1. */
export type ServicePage = {
  page: number
  rows: ParsedRow[]
  data: unknown[]
  isNotFound: boolean
  validators: Validators
}

/**
 * `from`: bytes already held. `totalBytes`: decoded. `hasKnownEnd`: the end shows that the dump is
 * complete.
 */
export type DumpDownload = {
  body: AsyncIterable<Uint8Array>
  from: number
  totalBytes: number | null
  hasKnownEnd: boolean
  validators: Validators
}

export type CallOptions = { signal?: AbortSignal; purpose?: Purpose }

export type DumpOptions = CallOptions & {
  /**
   * Resumes this part if the service proves that it is the same dump. May cost a second request.
   */
  part?: Validators & { bytes: number }
}

/**
 * Every request is charged first. Throws AppError `budget_spent`, `upstream_refused`,
 * `upstream_unavailable`, `upstream_timeout`, or `upstream_contract`. Messages, causes and logs
 * never contain the key or text from the service.
 */
export type Upstream = {
  fetchPage(page: number, options?: CallOptions): Promise<ServicePage>
  /** Null if unchanged. */
  fetchPageIfChanged(
    page: number,
    held: Validators,
    options?: CallOptions,
  ): Promise<ServicePage | null>
  fetchDump(kind: DumpKind, options?: DumpOptions): Promise<DumpDownload>
  /** Null if unchanged. */
  fetchDumpIfChanged(
    kind: DumpKind,
    held: Validators,
    options?: DumpOptions,
  ): Promise<DumpDownload | null>
  budget(): Budget
  /**
   * Lets one request through a pause that the service asked for. False without a long pause, or if
   * that request was sent already.
   */
  allowProbe(): boolean
  /** Without key, userinfo and query. */
  service: { kind: 'embedded' | 'remote'; address: string; invented: boolean }
}
