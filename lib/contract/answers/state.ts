import * as z from 'zod/mini'
import { envelope } from '../envelope.ts'
import { seconds } from './shared.ts'

/** How far a running step is: `total` is null where nobody knows it yet. */
export const progress = z.object({
  step: z.enum(['fetching', 'verifying', 'importing', 'deriving', 'reading']),
  done: z.number(),
  total: z.nullable(z.number()),
  unit: z.enum(['bytes', 'rows', 'pages']),
})
export type Progress = z.infer<typeof progress>

/** A dump as it is kept: `edition` its Sunday, `next_due_at` when the service makes the next one. */
export const edition = z.object({
  edition: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  fetched_at: seconds,
  next_due_at: seconds,
})
export type Edition = z.infer<typeof edition>

export const SYNC_STATES = [
  'starting',
  'bootstrapping',
  'following',
  'reconciling',
  'idle',
  'waiting',
  'stopped',
] as const

const limit = z.object({ limit: z.nullable(z.int()), used: z.int() })

export const status = z.object({
  archive: z.object({
    ratings: z.int(),
    generation: z.int(),
    complete_to: z.nullable(seconds),
  }),
  sync: z.object({
    state: z.enum(SYNC_STATES),
    /** Why it is in that state, in a sentence for people; null where there is nothing to say. */
    reason: z.nullable(z.string()),
    progress: z.nullable(progress),
    checked_at: z.nullable(seconds),
    next_at: z.nullable(seconds),
  }),
  budget: z.object({ minute: limit, month: limit }),
  editions: z.object({ posts: z.nullable(edition), lookups: z.nullable(edition) }),
  quarantine: z.object({
    rows: z.int(),
    /** The newest few, for `/status`. */
    latest: z.array(z.object({ reason: z.string(), raw: z.string(), at: seconds })),
  }),
  service: z.object({ kind: z.enum(['embedded', 'remote']), address: z.string() }),
  now: seconds,
})
export type Status = z.infer<typeof status>

/** `GET /api/status`. */
export const statusAnswer = envelope(status, {})
export type StatusAnswer = z.infer<typeof statusAnswer>

const column = z.object({ name: z.string(), type: z.enum(['integer', 'decimal', 'text']) })

/** One dump's card: what is kept, what is being fetched, what went wrong. `first_rows` are at most 20. */
export const dump = z.object({
  kind: z.enum(['posts', 'lookups']),
  state: z.enum(['absent', 'fetching', 'ready', 'stale', 'failed']),
  reason: z.nullable(z.string()),
  progress: z.nullable(progress),
  file_name: z.nullable(z.string()),
  edition: z.nullable(edition),
  columns: z.array(column),
  first_rows: z.array(z.array(z.string())),
  next_due_at: seconds,
})
export type Dump = z.infer<typeof dump>

/** `GET /api/dumps`. */
export const dumpsAnswer = envelope(z.object({ posts: dump, lookups: dump }), {})
export type DumpsAnswer = z.infer<typeof dumpsAnswer>

/** `GET /api/health`, 200. A 503 is the failure envelope with the reason. */
export const healthAnswer = envelope(z.object({ ready: z.literal(true) }), {})
