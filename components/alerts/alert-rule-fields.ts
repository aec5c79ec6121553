import type { WantedRule } from '#lib/client/alerts.ts'
import type { WebhookFormat } from '#lib/contract/answers/alerts.ts'
import { toParams, toQueryText } from '#lib/contract/query-schema.ts'
import { parseRatingsQuery, type RatingsQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'
import { readRatingsView } from '#lib/contract/ratings-view.ts'

/** `query`: of the ratings page, with or without `?`. */
export type AlertStart = { name?: string; query: string }

export type RuleKind = 'symbol' | 'query' | 'crossing' | 'change' | 'sync'

export type RuleSubject = { kind: RuleKind; start: AlertStart | null }

export const FORMAT_LABELS: Readonly<Record<WebhookFormat, string>> = {
  standard: 'Standard Webhooks',
  slack: 'Slack',
  discord: 'Discord',
  mattermost: 'Mattermost',
  rocketchat: 'Rocket.Chat',
}

type Typed = (field: string) => string

type RuleForm = {
  subject: RuleSubject
  /** Empty: a new webhook. */
  webhook: string
  typed: Typed
  takenNames: readonly string[]
  takenWebhooks: readonly string[]
}

/** Invalid numbers stay text for the server to reject. Empty names are derived. */
export function toWantedRule(form: RuleForm): WantedRule {
  const { subject, webhook, typed } = form
  const url = typed('url')
  const derived = () => toFreeName(toHost(url) || 'webhook', form.takenWebhooks)
  const rule = {
    name: typed('name') || toFreeName(toRuleName(subject, typed), form.takenNames),
    webhook: webhook || typed('webhook') || derived(),
    ...toContent(subject, typed),
  }
  if (webhook !== '') return { rule }
  const format = typed('format')
  const target = { url, secret: typed('secret') }
  return { rule, target: format === '' ? target : { ...target, format } }
}

function toContent(subject: RuleSubject, typed: Typed): Readonly<Record<string, unknown>> {
  const { kind } = subject
  if (kind === 'sync') return { kind }
  if (kind === 'symbol' || kind === 'query') {
    return { kind: 'ratings', query: toRuleQuery(subject, typed('subject')) }
  }
  const minimum = toOptional('minimum', typed)
  const symbols = toSymbols(typed('subject'))
  if (kind === 'crossing') return { kind, symbols, value: typed('value'), ...minimum }
  return { kind, symbols, by: typed('by'), days: toNumber(typed('days') || '30'), ...minimum }
}

/** Without `?`. */
export function toRuleQuery({ kind, start }: RuleSubject, text: string): string {
  if (start) return toFilters(start.query)
  if (kind !== 'symbol') return toQuery(text)
  const symbols = toSymbols(text)
  return symbols.length === 0 ? '' : new URLSearchParams({ symbol: symbols.join() }).toString()
}

/** A view also has columns, an order and an instant, which rules lack. */
function toFilters(address: string): string {
  const { query } = readRatingsView(new URLSearchParams(toQuery(address)))
  const params = toParams(ratingsQuery, { ...query, asof: null })
  for (const name of ['sort', 'page', 'per_page']) params.delete(name)
  return toQueryText(params).slice(1)
}

/** Ratings that the rule would have reported since `from`; null if the query is invalid. */
export function toPreviewQuery(query: string, from: number): RatingsQuery | null {
  const parsed = parseRatingsQuery(new URLSearchParams(query))
  if (!parsed.ok) return null
  const { value } = parsed
  if (value.to !== null && value.to <= from) return null
  return { ...value, asof: null, page: 1, per_page: 1, from: Math.max(from, value.from ?? 0) }
}

function toRuleName({ kind, start }: RuleSubject, typed: Typed): string {
  if (start?.name) return start.name
  if (kind === 'sync') return 'Sync'
  const what = toSymbols(typed('subject')).join(', ') || 'ratings'
  if (kind === 'crossing') return `${what} at ${typed('value')}`
  if (kind === 'change') return `${what} moves`
  return kind === 'symbol' ? what : 'Ratings'
}

const NAME_MAX = 80

/** `AAPL 2` */
function toFreeName(name: string, taken: readonly string[]): string {
  const letters = [...name]
  let free = letters.slice(0, NAME_MAX).join('').trim()
  for (let number = 2; taken.includes(free); number += 1) {
    const end = ` ${number}`
    free = `${letters
      .slice(0, NAME_MAX - end.length)
      .join('')
      .trim()}${end}`
  }
  return free
}

const toHost = (url: string) => (URL.canParse(url) ? new URL(url).host : '')

const toSymbols = (text: string) => text.split(/[,\s]+/).filter((symbol) => symbol !== '')

const toQuery = (text: string): string =>
  /^https?:\/\//.test(text)
    ? (text.split('?')[1] ?? '').replace(/#.*/s, '')
    : text.replace(/^\?/, '')

const toNumber = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : text)

function toOptional(field: string, typed: Typed) {
  const text = typed(field)
  return text === '' ? {} : { [field]: toNumber(text) }
}
