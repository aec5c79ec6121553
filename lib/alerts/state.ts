import * as z from 'zod/mini'
import { seconds } from '#lib/contract/answers/envelope.ts'
import { ALARM_KINDS } from '#lib/contract/answers/status.ts'

const newRating = z.object({
  id: z.int(),
  user_id: z.int(),
  symbol: z.string(),
  rating: z.int(),
  rating_label: z.string(),
  action: z.int(),
  action_label: z.string(),
  prediction: z.string(),
  created_at: seconds,
  previous_rating: z.nullable(z.int()),
  previous_prediction: z.nullable(z.string()),
})

/** A consensus that went somewhere. `before` is what it was compared with: the side it was on, or what it was so many days ago. */
const consensusEvent = z.object({
  symbol: z.string(),
  at: seconds,
  direction: z.enum(['up', 'down']),
  consensus: z.string(),
  active: z.int(),
  /** Of a change: what it was, and by how much it changed. Of a crossing null. */
  consensus_before: z.nullable(z.string()),
  change: z.nullable(z.string()),
})
export type ConsensusEvent = z.infer<typeof consensusEvent>

const alarmEvent = z.object({
  alarm: z.enum(ALARM_KINDS),
  state: z.enum(['raised', 'over']),
  at: seconds,
  since: seconds,
  message: z.string(),
})
export type AlarmEvent = z.infer<typeof alarmEvent>

/** What happened and is in no message yet: how much in all, and the newest of it, newest first. */
const held = z.object({
  total: z.int(),
  from: seconds,
  ratings: z.array(newRating),
  changes: z.array(consensusEvent),
  alarms: z.array(alarmEvent),
})
export type Held = z.infer<typeof held>

const ruleState = z.object({
  name: z.string(),
  definition: z.string(),
  /** Nothing that was posted before is told. */
  since: seconds,
  /** When the messages of the last hour were made. */
  told: z.array(seconds),
  told_at: z.nullable(seconds),
  held: z.nullable(held),
  /** Where each symbol stood when it was judged last: on which side of a value, or in which direction a change was told. */
  symbols: z.array(z.object({ symbol: z.string(), stands: z.string() })),
  /** Alarms that were told as raised. */
  alarms: z.array(z.object({ kind: z.enum(ALARM_KINDS), since: seconds })),
  /** Since when it stands in no rules; null while it does. */
  gone_at: z.nullable(seconds),
})
export type RuleState = z.infer<typeof ruleState>

const message = z.object({
  id: z.string(),
  rule: z.string(),
  webhook: z.string(),
  made_at: seconds,
  /** What it says, from which the body for its webhook is made: the same each time. */
  body: z.string(),
  text: z.string(),
  url: z.nullable(z.string()),
  attempts: z.int(),
  /** Null until a later message to its webhook came through while this one failed; then its failures since. */
  overtaken: z.nullable(z.int()),
  /** Not tried before then. While it is sent: when whoever sends it must have ended. */
  retry_at: seconds,
  reason: z.nullable(z.string()),
})
export type Message = z.infer<typeof message>

const targetState = z.object({
  name: z.string(),
  /** How often in a row messages did not come through, and until when it is left alone for that. */
  failures: z.int(),
  retry_at: seconds,
  failed_at: z.nullable(seconds),
  reason: z.nullable(z.string()),
  sent_at: z.nullable(seconds),
})
export type TargetState = z.infer<typeof targetState>

/**
 * Everything that alerts keep, in one document: what was judged and what is to be sent for it change together, or not at all.
 * `judged` counts the judgements: one that was begun over another count is dropped.
 */
export const alertState = z.object({
  judged: z.int(),
  /** The ratings that were looked at, as ranges of their ids; null before the first look. */
  known: z.nullable(z.array(z.tuple([z.int(), z.int()]))),
  rules: z.array(ruleState),
  outbox: z.array(message),
  given_up: z.array(message),
  targets: z.array(targetState),
  sent: z.int(),
})
export type AlertState = z.infer<typeof alertState>

export const NOTHING_JUDGED: AlertState = {
  judged: 0,
  known: null,
  rules: [],
  outbox: [],
  given_up: [],
  targets: [],
  sent: 0,
}
