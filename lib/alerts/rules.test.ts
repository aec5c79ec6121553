import { expect, test } from 'vitest'
import type { SharedFile } from '#lib/files/json-file.ts'
import { SECRET } from '#testing/alerts/open-receiver.ts'
import { createRules, type StoredRules } from './rules.ts'

const chat = { name: 'chat', url: 'https://chat.example/hooks/abc', secret: SECRET }
const good = { name: 'Apple', webhook: 'chat', kind: 'ratings', query: 'symbol=AAPL&rating=5' }

async function read(content: StoredRules) {
  const stored: SharedFile<StoredRules> = { load: async () => content, update: async () => {} }
  return await createRules({ stored, allowsPlain: false, hide: () => {} }).load()
}

test('gives every kind of rule, and where its messages go', async () => {
  const rules = [
    good,
    { name: 'Up', webhook: 'chat', kind: 'crossing', symbols: ['AAPL'], value: '3.5', minimum: 5 },
    { name: 'Moves', webhook: 'chat', kind: 'change', symbols: ['NVDA'], by: '0.5', days: 30 },
    { name: 'Sync', webhook: 'chat', kind: 'sync', alarms: ['unreachable'] },
  ]
  const book = await read({ webhooks: [chat], rules })
  expect(book.problems).toEqual([])
  expect(book.rules.map(({ rule }) => rule)).toEqual(rules)
  expect(book.rules[0]?.query).toMatchObject({ symbol: { only: ['AAPL'] }, rating: { only: [5] } })
  expect(book.targets.get('chat')).toEqual({
    url: new URL(chat.url),
    secret: SECRET,
    format: 'standard',
  })
})

test('names each error with its place and its rule, and valid rules keep working', async () => {
  const webhooks = [
    chat,
    { ...chat, name: 'plain', url: 'http://chat.example/' },
    { ...chat, name: 'empty', secret: 'whsec_thisoneistooshort' },
  ]
  const rules = [
    good,
    { ...good, name: 'Old', query: 'symbol=AAPL&stars=5' },
    { ...good, name: 'Past', query: 'symbol=AAPL&asof=2024-01-01' },
    { name: 'Up', webhook: 'chat', kind: 'crossing', symbols: [], value: 3.5 },
    { name: 'Nobody', webhook: 'chart', kind: 'sync' },
    { name: 'Plain', webhook: 'plain', kind: 'sync' },
    { name: 'Odd', webhook: 'chat', kind: 'sync', hourly: 3 },
    { name: 'Last', webhook: 'chat', kind: 'sync' },
  ]
  const book = await read({ webhooks, rules })
  expect(book.rules.map(({ rule }) => rule.name)).toEqual(['Apple', 'Last'])
  expect(book.problems.map(({ place, rule, message }) => [place, rule, message])).toEqual([
    [
      'webhooks.plain.url',
      null,
      'is plain http, which can be read in transit: use https, or set ALERTS_ALLOW_PRIVATE=on',
    ],
    [
      'webhooks.empty.secret',
      null,
      'is not a secret: whsec_ and then 24 to 64 random bytes in Base64',
    ],
    ['rules[1].query', 'Old', 'does not parse: stars is not a parameter here'],
    ['rules[2].query', 'Past', 'contains asof, which a rule cannot use'],
    ['rules[3].symbols', 'Up', 'names no symbol'],
    ['rules[3].value', 'Up', 'is missing, or is not text'],
    ['rules[4].webhook', 'Nobody', 'is not the name of a webhook'],
    ['rules[5].webhook', 'Plain', 'is a webhook that cannot be used'],
    ['rules[6].hourly', 'Odd', 'is unknown'],
  ])
})

test('asks for something else by what it looks for, not by whom it tells', async () => {
  const definitionOf = async (rule: StoredRules['rules'][number]) =>
    (await read({ webhooks: [chat], rules: [rule] })).rules[0]?.definition ?? 'none'
  const definition = await definitionOf(good)
  expect(await definitionOf({ ...good, name: 'Other' })).toBe(definition)
  expect(await definitionOf({ ...good, query: 'symbol=MSFT' })).not.toBe(definition)
})
