import * as z from 'zod/mini'
import { envelope, seconds } from './envelope.ts'

const source = z.enum(['file', 'form'])

/** The bodies that receivers understand. */
export const WEBHOOK_FORMATS = ['standard', 'slack', 'discord', 'mattermost', 'rocketchat'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/** What is wrong with the rules: where (`rules[2].query`; empty is the whole), in which line of the file, of which rule. */
const alertProblem = z.object({
  source,
  place: z.string(),
  line: z.nullable(z.int()),
  rule: z.nullable(z.string()),
  message: z.string(),
})
export type AlertProblem = z.infer<typeof alertProblem>

/** `waiting`: events that are held back until quiet hours end, or until another message may be sent. */
const rule = z.object({
  name: z.string(),
  kind: z.enum(['ratings', 'crossing', 'change', 'sync']),
  source,
  webhook: z.string(),
  /** What it looks for, in words. */
  what: z.string(),
  at_most_an_hour: z.int(),
  quiet_hours: z.nullable(z.object({ from: z.string(), to: z.string(), zone: z.string() })),
  /** Since when it is judged; null before the first time. */
  since: z.nullable(seconds),
  told_at: z.nullable(seconds),
  waiting: z.int(),
})
export type AlertRuleEntry = z.infer<typeof rule>

/** Of its address only the host is shown: the rest is often a secret. */
const target = z.object({
  name: z.string(),
  source,
  host: z.string(),
  format: z.enum(WEBHOOK_FORMATS),
  /** When a message came through last; null before. */
  sent_at: z.nullable(seconds),
  /**
   * Why the last message did not come through, null where it did; and until when the webhook is left alone for that, null where
   * it is not.
   */
  failure: z.nullable(z.object({ at: seconds, reason: z.string(), retry_at: z.nullable(seconds) })),
})
export type AlertTarget = z.infer<typeof target>

const message = z.object({
  id: z.string(),
  rule: z.string(),
  webhook: z.string(),
  text: z.string(),
  made_at: seconds,
  attempts: z.int(),
  /** When it is tried next; of one that was given up, when that was. */
  at: seconds,
  reason: z.nullable(z.string()),
})
export type AlertMessage = z.infer<typeof message>

/** `sent`: how many messages came through so far. Messages with the newest first, at most 50 each. */
const alertsReport = z.object({
  /** Whether `ALERTS_FILE` names a file, and when it was read last. */
  has_file: z.boolean(),
  read_at: z.nullable(seconds),
  /** Whether this process judges and sends: of several nodes only one does. */
  is_judging: z.boolean(),
  problems: z.array(alertProblem),
  rules: z.array(rule),
  webhooks: z.array(target),
  outbox: z.array(message),
  outbox_total: z.int(),
  given_up: z.array(message),
  given_up_total: z.int(),
  sent: z.int(),
  /** Why rules cannot be judged now; null where they can. */
  problem: z.nullable(z.string()),
})
export type AlertsReport = z.infer<typeof alertsReport>

/** `GET /api/alerts`, and what answers a change. */
export const alertsAnswer = envelope(alertsReport, {})
export type AlertsAnswer = z.infer<typeof alertsAnswer>

/** `POST /api/alerts/try`: what became of the one message, and the `body` that was sent. */
export const triedAnswer = envelope(
  z.object({
    delivered: z.boolean(),
    status: z.nullable(z.int()),
    reason: z.nullable(z.string()),
    format: z.enum(WEBHOOK_FORMATS),
    body: z.string(),
  }),
  {},
)
export type TriedAnswer = z.infer<typeof triedAnswer>
