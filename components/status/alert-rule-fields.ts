import type { WantedRule } from '#lib/client/alerts.ts'
import type { WebhookFormat } from '#lib/contract/answers/alerts.ts'

export type RuleKind = 'ratings' | 'crossing' | 'change' | 'sync'

export const FORMAT_LABELS: Readonly<Record<WebhookFormat, string>> = {
  standard: 'Standard Webhooks',
  slack: 'Slack',
  discord: 'Discord',
  mattermost: 'Mattermost',
  rocketchat: 'Rocket.Chat',
}

type Typed = (field: string) => string

/** Invalid numbers stay text for the server to reject. */
export function toWantedRule(kind: RuleKind, webhook: string, typed: Typed): WantedRule {
  const name = webhook === '' ? typed('webhook') : webhook
  const rule = {
    name: typed('name'),
    webhook: name,
    kind,
    ...toAsked(kind, typed),
    ...toOptional('at_most_an_hour', typed),
    ...toQuietHours(typed),
  }
  if (webhook !== '') return { rule }
  const format = typed('format')
  const target = { url: typed('url'), secret: typed('secret') }
  return { rule, target: format === '' ? target : { ...target, format } }
}

function toAsked(kind: RuleKind, typed: Typed): Readonly<Record<string, unknown>> {
  if (kind === 'sync') return {}
  if (kind === 'ratings') return { query: toQuery(typed('query')) }
  const symbols = typed('symbols')
    .split(/[,\s]+/)
    .filter((symbol) => symbol !== '')
  const minimum = toOptional('minimum', typed)
  if (kind === 'crossing') return { symbols, value: typed('value'), ...minimum }
  return { symbols, by: typed('by'), days: toNumber(typed('days')), ...minimum }
}

const toQuery = (text: string) =>
  /^https?:\/\//.test(text) ? (text.split('?')[1] ?? '').split('#')[0] : text.replace(/^\?/, '')

const toNumber = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : text)

function toOptional(field: string, typed: Typed) {
  const text = typed(field)
  return text === '' ? {} : { [field]: toNumber(text) }
}

function toQuietHours(typed: Typed) {
  const [from, to, zone] = [typed('quiet_from'), typed('quiet_to'), typed('quiet_zone')]
  return from + to + zone === '' ? {} : { quiet_hours: { from, to, zone } }
}
