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

const consensusEvent = z.object({
  symbol: z.string(),
  at: seconds,
  direction: z.enum(['up', 'down']),
  consensus: z.string(),
  active: z.int(),
  /** Null for a crossing. */
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

/** `total` counts all, the lists hold the newest, newest first. */
const held = z.object({
  total: z.int(),
  from: seconds,
  ratings: z.array(newRating),
  changes: z.array(consensusEvent),
  alarms: z.array(alarmEvent),
})
export type HeldBack = z.infer<typeof held>

const ruleState = z.object({
  name: z.string(),
  definition: z.string(),
  since: seconds,
  told_at: z.nullable(seconds),
  held: z.nullable(held),
  /** `above` or `below` a value; or the last change: `up`, `down`, `still`. */
  symbols: z.array(z.object({ symbol: z.string(), stands: z.string() })),
  alarms: z.array(z.object({ kind: z.enum(ALARM_KINDS), since: seconds })),
  /** Null while the rule exists. */
  gone_at: z.nullable(seconds),
})
export type RuleState = z.infer<typeof ruleState>

const message = z.object({
  id: z.string(),
  rule: z.string(),
  webhook: z.string(),
  made_at: seconds,
  body: z.string(),
  text: z.string(),
  url: z.nullable(z.string()),
  attempts: z.int(),
  /** Failures since a later message to this webhook was delivered. Null before that. */
  overtaken: z.nullable(z.int()),
  retry_at: seconds,
  reason: z.nullable(z.string()),
})
export type Message = z.infer<typeof message>

const targetState = z.object({
  name: z.string(),
  failures: z.int(),
  retry_at: seconds,
  failed_at: z.nullable(seconds),
  reason: z.nullable(z.string()),
  sent_at: z.nullable(seconds),
})
export type TargetState = z.infer<typeof targetState>

/** `judged` is a version: a judgment based on an older one is discarded. */
export const alertState = z.object({
  judged: z.int(),
  /** Ranges of seen rating ids. Null before the first judgment. */
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
