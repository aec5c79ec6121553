import type { AlertMessage, AlertsReport } from '#lib/contract/answers/alerts.ts'
import { describeRule } from './messages.ts'
import type { RuleBook } from './rules.ts'
import type { AlertState, Message } from './state.ts'

const SHOWN_MAX = 50
const PROBLEMS_MAX = 100

type RulesReport = Omit<AlertsReport, 'is_judging' | 'problem'>

export function toReport(state: AlertState, book: RuleBook): RulesReport {
  const kept = new Map(state.rules.map((rule) => [rule.name, rule]))
  const targets = new Map(state.targets.map((target) => [target.name, target]))
  return {
    problems: book.problems.slice(0, PROBLEMS_MAX),
    rules: book.rules.map(({ rule, definition }) => {
      const found = kept.get(rule.name)
      const own = found?.definition === definition ? found : undefined
      return {
        name: rule.name,
        kind: rule.kind,
        webhook: rule.webhook,
        what: describeRule(rule),
        since: own?.since ?? null,
        told_at: found?.told_at ?? null,
      }
    }),
    webhooks: [...book.targets].map(([name, { url, format }]) => {
      const target = targets.get(name)
      const { failed_at: at = null, reason = null, failures = 0 } = target ?? {}
      const retry_at = failures > 0 ? (target?.retry_at ?? null) : null
      const isFailing = at !== null && reason !== null
      return {
        name,
        host: url.host,
        format,
        sent_at: target?.sent_at ?? null,
        failure: isFailing ? { at, reason, retry_at } : null,
      }
    }),
    outbox: state.outbox.slice(-SHOWN_MAX).reverse().map(toEntry),
    outbox_total: state.outbox.length,
    given_up: state.given_up.slice(-SHOWN_MAX).reverse().map(toEntry),
    given_up_total: state.given_up.length,
    sent: state.sent,
  }
}

const toEntry = (message: Message): AlertMessage => {
  const { id, rule, webhook, text, made_at, attempts, retry_at: at, reason } = message
  return { id, rule, webhook, text, made_at, attempts, at, reason }
}
