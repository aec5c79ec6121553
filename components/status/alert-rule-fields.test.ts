import { expect, test } from 'vitest'
import { toWantedRule } from './alert-rule-fields.ts'

const typed = (fields: Record<string, string>) => (name: string) => fields[name] ?? ''

test('a form is sent as a rule of the file is written', () => {
  const fields = {
    name: 'A',
    query: '?symbol=AAPL',
    webhook: 'chat',
    url: 'https://x/',
    secret: 's',
  }
  expect(toWantedRule('ratings', '', typed(fields))).toEqual({
    rule: { name: 'A', webhook: 'chat', kind: 'ratings', query: 'symbol=AAPL' },
    target: { url: 'https://x/', secret: 's' },
  })
  const formatted = { ...fields, format: 'mattermost' }
  expect(toWantedRule('ratings', '', typed(formatted)).target).toEqual({
    url: 'https://x/',
    secret: 's',
    format: 'mattermost',
  })
  const change = { name: 'B', symbols: 'AAPL, MSFT  NVDA', by: '0.5', days: '30', minimum: '5' }
  const quiet = { quiet_from: '22:00', quiet_to: '07:00', quiet_zone: 'Europe/Berlin' }
  expect(
    toWantedRule('change', 'chat', typed({ ...change, ...quiet, at_most_an_hour: '2' })),
  ).toEqual({
    rule: {
      name: 'B',
      webhook: 'chat',
      kind: 'change',
      symbols: ['AAPL', 'MSFT', 'NVDA'],
      by: '0.5',
      days: 30,
      minimum: 5,
      at_most_an_hour: 2,
      quiet_hours: { from: '22:00', to: '07:00', zone: 'Europe/Berlin' },
    },
  })
  expect(toWantedRule('sync', 'chat', typed({ name: 'C' }))).toEqual({
    rule: { name: 'C', webhook: 'chat', kind: 'sync' },
  })
})

test('a whole address is taken for its query, and what is no number is left for the server to refuse', () => {
  const query = 'https://ratings.example/ratings?symbol=AAPL&rating=5#top'
  expect(toWantedRule('ratings', 'chat', typed({ query })).rule).toMatchObject({
    query: 'symbol=AAPL&rating=5',
  })
  const crossing = { symbols: 'AAPL', value: '3.5', minimum: 'many' }
  expect(toWantedRule('crossing', 'chat', typed(crossing)).rule).toMatchObject({ minimum: 'many' })
})
