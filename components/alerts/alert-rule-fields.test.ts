import { expect, test } from 'vitest'
import { type RuleSubject, toPreviewQuery, toRuleQuery, toWantedRule } from './alert-rule-fields.ts'

const send = (subject: RuleSubject, webhook: string, fields: Record<string, string>) =>
  toWantedRule({
    subject,
    webhook,
    typed: (name) => fields[name] ?? '',
    takenNames: ['AAPL', 'AAPL 2'],
    takenWebhooks: ['hooks.example'],
  })

const of = (kind: RuleSubject['kind']): RuleSubject => ({ kind, start: null })

test('a form is sent as the API takes a rule', () => {
  const fields = {
    name: 'A',
    subject: '?symbol=AAPL',
    webhook: 'chat',
    url: 'https://x/',
    secret: 's',
  }
  expect(send(of('query'), '', fields)).toEqual({
    rule: { name: 'A', webhook: 'chat', kind: 'ratings', query: 'symbol=AAPL' },
    target: { url: 'https://x/', secret: 's' },
  })
  expect(send(of('query'), '', { ...fields, format: 'mattermost' }).target).toEqual({
    url: 'https://x/',
    secret: 's',
    format: 'mattermost',
  })
  const change = { name: 'B', subject: 'AAPL, MSFT  NVDA', by: '0.5', days: '7', minimum: '5' }
  expect(send(of('change'), 'chat', change)).toEqual({
    rule: {
      name: 'B',
      webhook: 'chat',
      kind: 'change',
      symbols: ['AAPL', 'MSFT', 'NVDA'],
      by: '0.5',
      days: 7,
      minimum: 5,
    },
  })
  expect(send(of('sync'), 'chat', { name: 'C' })).toEqual({
    rule: { name: 'C', webhook: 'chat', kind: 'sync' },
  })
})

test('a whole address is taken for its query, and what is no number is left for the server to refuse', () => {
  const subject = 'https://ratings.example/ratings?symbol=AAPL&rating=5#top'
  expect(send(of('query'), 'chat', { subject }).rule).toMatchObject({
    query: 'symbol=AAPL&rating=5',
  })
  const crossing = { subject: 'AAPL', value: '3.5', minimum: 'many' }
  expect(send(of('crossing'), 'chat', crossing).rule).toMatchObject({ minimum: 'many' })
})

test('names that are left empty are derived and free; a change is within 30 days by default', () => {
  const url = 'https://hooks.example/secret-path'
  expect(send(of('symbol'), '', { subject: 'AAPL', url, secret: 's' }).rule).toEqual({
    name: 'AAPL 3',
    webhook: 'hooks.example 2',
    kind: 'ratings',
    query: 'symbol=AAPL',
  })
  expect(send(of('change'), 'chat', { subject: 'MSFT', by: '0.5' }).rule).toMatchObject({
    name: 'MSFT moves',
    days: 30,
  })
  const long = { name: 'x'.repeat(90), query: '' }
  expect(send({ kind: 'query', start: long }, 'chat', {}).rule.name).toHaveLength(80)
})

test('a saved view loses what no rule has: columns, order, page and instant', () => {
  const query = 'symbol=AAPL&rating=5&asof=2026-01-01&sort=rating.asc&columns=symbol,rating&page=3'
  expect(toRuleQuery({ kind: 'query', start: { query } }, '')).toBe('symbol=AAPL&rating=5')
})

test('a preview counts from a week ago, and nothing if the query is invalid or ends before', () => {
  expect(toPreviewQuery('symbol=AAPL', 1000)).toMatchObject({
    symbol: { only: ['AAPL'] },
    from: 1000,
    per_page: 1,
  })
  expect(toPreviewQuery('from=2026-01-01', 1000)).toMatchObject({ from: 1_767_225_600 })
  expect(toPreviewQuery('stars=5', 1000)).toBeNull()
  expect(toPreviewQuery('to=1970-01-01T00:10:00Z', 1000)).toBeNull()
})
