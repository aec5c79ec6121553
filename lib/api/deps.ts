import type { Archive } from '#lib/archive/archive.ts'
import type { Editions, Sync } from '#lib/sync/sync.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import type { SetTimer } from './byte-stream.ts'

/** What the API answers from. `now` is in seconds since 1970. */
export type ApiDeps = {
  archive: Archive
  editions: Editions
  sync: Sync
  upstream: Upstream
  now: () => number
  setTimer: SetTimer
  /** Told of every error that leaves as a 500, with the path without its query. */
  onError: (error: unknown, path: string) => void
}
