import * as z from 'zod/mini'
import { envelope, seconds } from './envelope.ts'

export const WEBHOOK_FORMATS = ['standard', 'slack', 'discord', 'mattermost', 'rocketchat'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

const alertProblem = z.object({
  place: z.string(),
  rule: z.nullable(z.string()),
  message: z.string(),
})
export type AlertProblem = z.infer<typeof alertProblem>

const rule = z.object({
  name: z.string(),
  kind: z.enum(['ratings', 'crossing', 'change', 'sync']),
  webhook: z.string(),
  what: z.string(),
  since: z.nullable(seconds),
  told_at: z.nullable(seconds),
})
export type AlertRuleEntry = z.infer<typeof rule>

/** Only the host of the URL: the rest is often secret. */
const target = z.object({
  name: z.string(),
  host: z.string(),
  format: z.enum(WEBHOOK_FORMATS),
  sent_at: z.nullable(seconds),
  /** Null after a successful delivery. `retry_at`: end of the webhook's pause, if any. */
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
  at: seconds,
  reason: z.nullable(z.string()),
})
export type AlertMessage = z.infer<typeof message>

/** Lists: newest first, at most 50. */
const alertsReport = z.object({
  /** True on one node only. */
  is_judging: z.boolean(),
  problems: z.array(alertProblem),
  rules: z.array(rule),
  webhooks: z.array(target),
  outbox: z.array(message),
  outbox_total: z.int(),
  given_up: z.array(message),
  given_up_total: z.int(),
  sent: z.int(),
  problem: z.nullable(z.string()),
})
export type AlertsReport = z.infer<typeof alertsReport>

export const alertsAnswer = envelope(alertsReport, {})
export type AlertsAnswer = z.infer<typeof alertsAnswer>

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
