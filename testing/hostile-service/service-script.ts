import type { Rating } from '#lib/contract/rating.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { type CsvLayout, PLAIN_LAYOUT, toCsv } from '#testing/make-ratings.ts'

/** `page` is `/api/v1/posts`; the others are the dumps. */
export type ServiceEndpoint = 'page' | DumpKind

/**
 * What a scripted service holds and how it behaves where the specification leaves it open. All of it may be changed at
 * any time; the next request sees it.
 */
export type ServiceScript = {
  /** Without it no key is asked for. */
  key: string | null
  /** In any order. */
  ratings: Rating[]
  /** What stands at the top of the first page and is no rating. */
  broken: unknown[]
  pageSize: number
  /** What stands first: by id, by nothing, or by a key of the test's own, which may move. */
  order: 'newest' | 'oldest' | 'shuffled' | ((a: Rating, b: Rating) => number)
  /** The number of the first page, which an address without `page` shows. */
  firstPage: 0 | 1
  /** What a service whose first page is 1 answers to page 0. */
  pageZero: 'error' | 'not_found' | 'fails' | 'empty' | 'first' | 'last'
  pastEnd: 'empty' | 'not_found' | 'error' | 'repeats'
  /** What a page is told apart by; a page that is asked for by it and has not changed is a 304. */
  pageValidators: ValidatorsSaid
  dumps: Record<DumpKind, (script: ServiceScript) => string | Uint8Array>
  /** How the posts dump is written where `dumps.posts` is not the test's own. */
  layout: Partial<CsvLayout>
  dumpValidators: ValidatorsSaid
  /** When the dumps were made, in seconds since 1970. */
  dumpsMadeAt: number
  /** `blind`: a part is sent whatever If-Range says. `shifted`: another part than was asked for. `refused`: always 416. */
  ranges: 'none' | 'honoured' | 'blind' | 'shifted' | 'refused'
  /** Whether answers are packed for who takes gzip. */
  gzip: boolean
  limits: { perMinute: number | null; perMonth: number | null }
  /** What a 429 of those limits says of when to come again, by the seconds until then; null: nothing. */
  toRetryAfter: (seconds: number) => string | null
  /** The clock that the service says in `Date`; null: it says none. In seconds since 1970. */
  saysTime: (() => number) | null
}

export type ValidatorsSaid = 'none' | 'etag' | 'weak_etag' | 'last_modified' | 'both'

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
