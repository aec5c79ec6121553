import * as z from 'zod/mini'
import { seconds } from './shared.ts'

/** The moves of a sync, and what it fetches beside them. */
const MOVES = ['bootstrap', 'follow', 'reconcile', 'lookups', 'discover'] as const
export const move = z.enum(MOVES)
export type Move = z.infer<typeof move>

/** A run that has ended. Rows are null where it imported nothing. */
export const syncRun = z.object({
  move,
  started_at: seconds,
  ended_at: seconds,
  outcome: z.enum(['done', 'failed', 'interrupted']),
  /** Requests that were sent for it. */
  requests: z.int(),
  rows: z.nullable(
    z.object({ inserted: z.int(), updated: z.int(), vanished: z.int(), quarantined: z.int() }),
  ),
  /** Why it failed, or what it could not do; null where there is nothing to say. */
  reason: z.nullable(z.string()),
})
export type SyncRun = z.infer<typeof syncRun>

/** What is to come: when (null: not this month), at what cost in requests, and why then, in a sentence. */
export const plannedMove = z.object({
  move,
  at: z.nullable(seconds),
  cost: z.int(),
  why: z.string(),
})
export type PlannedMove = z.infer<typeof plannedMove>

/** One entry of the event log, for people: ids rise, and go on rising after a restart. */
export const logEvent = z.object({
  id: z.int(),
  at: seconds,
  level: z.enum(['info', 'warning', 'error']),
  kind: z.enum(['process', 'sync', 'dump', 'service', 'alarm', 'archive']),
  message: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type LogEvent = z.infer<typeof logEvent>
