import type { Rating } from '#lib/contract/rating.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { type CsvLayout, PLAIN_LAYOUT, toCsv } from '#testing/make-ratings.ts'

export type ServiceEndpoint = 'page' | DumpKind

export type ServiceScript = {
  /** Null accepts every request. */
  key: string | null
  ratings: Rating[]
  broken: unknown[]
  pageSize: number
  order: 'newest' | 'oldest' | 'shuffled' | ((a: Rating, b: Rating) => number)
  firstPage: 0 | 1
  pageZero:
    | 'error'
    | 'unauthorized'
    | 'forbidden'
    | 'not_found'
    | 'fails'
    | 'empty'
    | 'first'
    | 'last'
  pastEnd: 'empty' | 'not_found' | 'error' | 'repeats'
  pageValidators: ValidatorKind
  dumps: Record<DumpKind, (script: ServiceScript) => string | Uint8Array>
  layout: Partial<CsvLayout>
  dumpValidators: ValidatorKind
  /** Seconds since 1970. */
  dumpsMadeAt: number
  /** `blind`: ignores If-Range. `shifted`: sends a different part. `refused`: always 416. */
  ranges: 'none' | 'honoured' | 'blind' | 'shifted' | 'refused'
  gzip: boolean
  limits: { perMinute: number | null; perMonth: number | null }
  /** Retry-After of a 429. Null omits it. */
  toRetryAfter: (seconds: number) => string | null
  /** `Date` header, seconds since 1970. Null omits it. */
  saysTime: (() => number) | null
}

export type ValidatorKind = 'none' | 'etag' | 'weak_etag' | 'last_modified' | 'both'

const LOOKUPS = 'when,what\n2026-01-01,AAPL\n2026-01-02,"A, B"\n'

export const createScript = (change: Partial<ServiceScript> = {}): ServiceScript => ({
  key: null,
  ratings: [],
  broken: [],
  pageSize: 10,
  order: 'newest',
  firstPage: 1,
  pageZero: 'error',
  pastEnd: 'empty',
  pageValidators: 'none',
  dumps: { posts: ({ ratings, layout }) => toCsv(ratings, layout), lookups: () => LOOKUPS },
  layout: PLAIN_LAYOUT,
  dumpValidators: 'none',
  dumpsMadeAt: 1_780_000_000,
  ranges: 'none',
  gzip: false,
  limits: { perMinute: null, perMonth: null },
  toRetryAfter: (seconds) => String(seconds),
  saysTime: null,
  ...change,
})
