import type { AlertRule } from '#lib/contract/alert-rules.ts'
import { toPathPart } from '#lib/contract/path-part.ts'
import { toParams, toQueryText } from '#lib/contract/query-schema.ts'
import { predictionText, ratingLabel } from '#lib/contract/rating-fields.ts'
import { parseRatingsQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toSignedTwoPlaces, toTwoPlaces } from '#lib/statistics/exact.ts'
import { type Content, shorten, withUrl } from './formats.ts'
import type { AlarmEvent, ConsensusEvent, HeldBack } from './state.ts'

/** Null if the dashboard's public origin is not configured. */
export type ToAddress = (address: string) => string | null

/** UTF-16 units, without the URL. */
const TEXT_MAX = 1900
const URL_MAX = 1000
const WORD_MAX = 64

export function toMessage(
  rule: AlertRule,
  held: HeldBack,
  at: number,
  toAddress: ToAddress,
): Content {
  const url = toAddress(toPagePath(rule, held))
  const shown = held.ratings.length + held.changes.length + held.alarms.length
  const more = held.total - shown
  const lines = [
    ...held.ratings.map(describeRating),
    ...held.changes.map((change) => describeChange(rule, change)),
    ...held.alarms.map(describeAlarm),
  ]
  const text = [
    `${rule.name}: ${describeTotal(rule, held)}`,
    ...lines,
    ...(more > 0 ? [`… and ${more.toLocaleString('en-US')} more.`] : []),
  ].join('\n')
  return wrap(text, at, {
    url,
    type: `alert.${rule.kind}`,
    data: {
      rule: rule.name,
      total: held.total,
      since: toIsoText(held.from),
      ...(rule.kind === 'ratings' && { query: rule.query, ratings: held.ratings }),
      ...((rule.kind === 'crossing' || rule.kind === 'change') && { changes: held.changes }),
      ...(rule.kind === 'crossing' && { value: rule.value }),
      ...(rule.kind === 'change' && { by: rule.by, days: rule.days }),
      ...(rule.kind === 'sync' && { alarms: held.alarms }),
      url,
    },
  })
}

export function toTestMessage(webhook: string, at: number, toAddress: ToAddress): Content {
  const url = toAddress('/status')
  const text = `This is a test of the webhook “${webhook}” of Bellwether. Nothing has happened.`
  return wrap(text, at, { url, type: 'alert.test', data: { webhook, url } })
}

type MessageInput = { url: string | null; type: string; data: object }

function wrap(given: string, at: number, { url: whole, type, data }: MessageInput): Content {
  const text = shorten(toHarmless(given), TEXT_MAX)
  const url = whole !== null && whole.length > URL_MAX ? null : whole
  const timestamp = toIsoText(at)
  return { text, url, body: JSON.stringify({ type, timestamp, data, text: withUrl(text, url) }) }
}

const ACTED_ON = /[@<]|\](?=\()|:(?=\/\/)|\bwww(?=\.)/gi

/** Zero-width spaces keep external text from creating mentions or links. */
const toHarmless = (text: string) => text.replace(ACTED_ON, '$&\u200b')

const toIsoText = (at: number) => new Date(at * 1000).toISOString().replace('.000', '')

const word = (text: string) => shorten(toVisibleText(text), WORD_MAX)

function toPagePath(rule: AlertRule, { changes, ratings }: HeldBack): string {
  if (rule.kind === 'sync') return '/status'
  if (rule.kind !== 'ratings') {
    const symbols = new Set(changes.map(({ symbol }) => symbol))
    const [only] = symbols
    return symbols.size === 1 && only !== undefined
      ? `/symbols/${toPathPart(only.toWellFormed())}`
      : '/symbols'
  }
  const [rating] = ratings
  if (ratings.length === 1 && rating) return `/ratings/${rating.id}`
  const parsed = parseRatingsQuery(new URLSearchParams(rule.query.replace(/^\?/, '')))
  return parsed.ok ? `/${toQueryText(toParams(ratingsQuery, parsed.value))}` : '/'
}

function describeTotal(rule: AlertRule, { total, alarms }: HeldBack): string {
  const count = total.toLocaleString('en-US')
  if (rule.kind === 'ratings') return total === 1 ? 'a new rating' : `${count} new ratings`
  if (rule.kind === 'crossing') {
    return total === 1
      ? `the consensus crossed ${rule.value}`
      : `${count} crossings of ${rule.value}`
  }
  if (rule.kind === 'change') {
    const within = `within ${rule.days === 1 ? 'a day' : `${rule.days} days`}`
    return total === 1 ? `the consensus changed ${within}` : `${count} changes ${within}`
  }
  if (total > 1) return `${count} changes of alarms`
  return alarms[0]?.state === 'over' ? 'the sync has recovered' : 'the sync has a problem'
}

function describeRating(rating: HeldBack['ratings'][number]): string {
  const { previous_rating: before, previous_prediction: predicted } = rating
  const label = word(rating.rating_label)
  const was = before === null || before === rating.rating ? '' : `${ratingLabel(before)} ➝ `
  const from =
    predicted === null || predicted === rating.prediction ? '' : `${predictionText(predicted)} ➝ `
  const opinion = `${was}${label}, ${from}${predictionText(rating.prediction)}`
  return `• ${word(rating.symbol)}: ${opinion} (user ${rating.user_id}, ${toMinute(rating.created_at)})`
}

const toMinute = (at: number) => `${toIsoText(at).slice(0, 16).replace('T', ' ')} UTC`

function describeChange(rule: AlertRule, change: ConsensusEvent): string {
  const of = `of ${change.active.toLocaleString('en-US')} active ${change.active === 1 ? 'rating' : 'ratings'}`
  const now = toTwoPlaces(change.consensus)
  const symbol = word(change.symbol)
  if (rule.kind === 'change' && change.consensus_before !== null && change.change !== null) {
    const before = toTwoPlaces(change.consensus_before)
    return `• ${symbol}: ${before} ➝ ${now} (${toSignedTwoPlaces(change.change)}), ${of}`
  }
  return `• ${symbol}: ${change.direction === 'up' ? 'up' : 'down'} to ${now}, ${of}`
}

function describeAlarm({ alarm, state, since, message }: AlarmEvent): string {
  if (state === 'over') return `• ${alarm}: over; it had lasted since ${toMinute(since)}.`
  return `• ${alarm}: ${sentence(message)} (since ${toMinute(since)})`
}

const sentence = (message: string) => shorten(toVisibleText(message), 300)

export function describeRule(rule: AlertRule): string {
  if (rule.kind === 'sync') {
    return rule.alarms === undefined ? 'any alarm of the sync' : `alarms: ${rule.alarms.join(', ')}`
  }
  if (rule.kind === 'ratings') {
    return rule.query === '' ? 'every new rating' : `new ratings: ${rule.query}`
  }
  const of = `the consensus of ${rule.symbols.map(word).join(', ')}`
  return rule.kind === 'crossing'
    ? `${of} crosses ${rule.value}`
    : `${of} changes by ${rule.by} within ${rule.days === 1 ? 'a day' : `${rule.days} days`}`
}
