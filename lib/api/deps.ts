import type { Archive } from '#lib/archive/archive.ts'
import type { Status } from '#lib/contract/answers/state.ts'
import type { Editions, Sync } from '#lib/sync/sync.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import type { SetTimer } from './byte-stream.ts'
import type { EventHub } from './event-hub.ts'

/** What is counted, as text. `streams` are the readers of `/api/events`. */
export type Metrics = {
  contentType: string
  render(status: Status, streams: number): Promise<string>
}

/** What the API answers from. `now` is in seconds since 1970. */
export type ApiDeps = {
  archive: Archive
  editions: Editions
  sync: Sync
  upstream: Upstream
  now: () => number
  setTimer: SetTimer
  /** Told of every error that leaves as a 500: the path without its query, and the name of the request. */
  onError: (error: unknown, asked: { path: string; requestId: string | null }) => void
  metrics: Metrics
  /** Who listens to `/api/events`. Whoever makes it closes it before the process ends. */
  events: EventHub
}
