import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toAlertsSchema } from '#lib/contract/alert-rules.ts'
import { SECRET } from '#testing/alerts/open-receiver.ts'
import { draws, expectReach } from '#testing/draws.ts'
import { createLineFinder, findBrokenLine, parseRules, toPlace } from './rules.ts'

const webhooks = { chat: { url: 'https://chat.example/hooks/abc', secret: SECRET } }
const good = { name: 'Apple', webhook: 'chat', kind: 'ratings', query: 'symbol=AAPL&rating=5' }

const parse = (content: unknown, allowsPlain = false) =>
  parseRules(typeof content === 'string' ? content : JSON.stringify(content, null, 2), {
    source: 'file',
    allowsPlain,
    readSecret: (path) => {
      if (path === '/run/secrets/chat') return `${SECRET}\n`
      throw new Error('no such file')
    },
  })

const told = (content: unknown) =>
  parse(content).problems.map(({ place, line, rule, message }) => [place, line, rule, message])

describe('a file of rules', () => {
  test('gives every kind of rule, and where its messages go', () => {
    const rules = [
      good,
      {
        name: 'Up',
        webhook: 'chat',
        kind: 'crossing',
        symbols: ['AAPL'],
        value: '3.5',
        minimum: 5,
        at_most_an_hour: 2,
        quiet_hours: { from: '22:00', to: '07:00', zone: 'Europe/Berlin' },
      },
      { name: 'Moves', webhook: 'chat', kind: 'change', symbols: ['NVDA'], by: '0.5', days: 30 },
      { name: 'Sync', webhook: 'filed', kind: 'sync', alarms: ['unreachable'] },
    ]
    const filed = { url: 'https://chat.example/', secret_file: '/run/secrets/chat' }
    const book = parse({ $schema: 'x', webhooks: { ...webhooks, filed }, rules })
    expect(book.problems).toEqual([])
    expect(book.rules.map(({ rule }) => rule)).toEqual(rules)
    expect(book.rules[0]?.query).toMatchObject({
      symbol: { only: ['AAPL'] },
      rating: { only: [5] },
    })
    expect(book.targets.get('filed')).toEqual({
      url: new URL(filed.url),
      secret: SECRET,
      format: 'standard',
    })
  })

  test('names each error with its place, its line and its rule, and valid rules keep working', () => {
    const text = `{
  "webhooks": {
    "chat": { "url": "https://chat.example/hooks/abc", "secret": "${SECRET}" },
    "plain": { "url": "http://chat.example/", "secret": "${SECRET}" },
    "empty": { "url": "https://chat.example/", "secret": "whsec_abc" }
  },
  "rules": [
    { "name": "Apple", "webhook": "chat", "kind": "ratings", "query": "symbol=AAPL" },
    { "name": "Old", "webhook": "chat", "kind": "ratings",
      "query": "symbol=AAPL&stars=5" },
    { "name": "Up", "webhook": "chat", "kind": "crossing", "symbols": [], "value": 3.5 },
    { "name": "Nobody", "webhook": "chart", "kind": "sync" },
    { "name": "Apple", "webhook": "chat", "kind": "sync" },
    { "name": "Quiet", "webhook": "chat", "kind": "sync",
      "quiet_hours": { "from": "22:00", "to": "7:00", "zone": "Berlin" } },
    { "name": "Plain", "webhook": "plain", "kind": "sync", "hourly": 3 },
    "Apple",
    { "name": "Last", "webhook": "chat", "kind": "sync" }
  ],
  "rule": []
}`
    const book = parse(text)
    expect(book.rules.map(({ rule }) => rule.name)).toEqual(['Apple', 'Last'])
    expect(told(text)).toEqual([
      ['rule', 20, null, 'is unknown'],
      [
        'webhooks.plain.url',
        4,
        null,
        'is plain http, which can be read in transit: use https, or set ALERTS_ALLOW_PRIVATE=on',
      ],
      [
        'webhooks.empty.secret',
        5,
        null,
        'is not a secret: whsec_ and then 24 to 64 random bytes in Base64',
      ],
      ['rules[1].query', 10, 'Old', 'does not parse: stars is not a parameter here'],
      ['rules[2].symbols', 11, 'Up', 'names no symbol'],
      ['rules[2].value', 11, 'Up', 'is missing, or is not text'],
      ['rules[3].webhook', 12, 'Nobody', 'is not the name of a webhook'],
      ['rules[4].name', 13, 'Apple', 'is the name of an earlier rule'],
      ['rules[5].quiet_hours.to', 15, 'Quiet', 'is not a time of day such as 22:00'],
      ['rules[5].quiet_hours.zone', 15, 'Quiet', 'is not a time zone like Europe/Berlin'],
      ['rules[6].hourly', 16, 'Plain', 'is unknown'],
      ['rules[7]', 17, null, 'is not an object'],
    ])
  })

  test('that is no JSON says in which line it stops being some', () => {
    expect(told('{\n  "webhooks": {},\n  "rules": [,]\n}')).toEqual([
      ['', 3, null, 'is not valid JSON from here on'],
    ])
    expect(told('')).toEqual([['', 1, null, 'is not valid JSON from here on']])
    expect(told('[]')).toEqual([['', 1, null, 'is not an object with “webhooks” and “rules”']])
  })

  test('that is nested too deeply to find a line in is refused all the same', () => {
    const deep = '['.repeat(100_000)
    expect(told(deep)).toEqual([['', null, null, 'is not valid JSON from here on']])
    expect(told(`{ "x": ${deep}${']'.repeat(100_000)} }`)).toEqual([['x', 1, null, 'is unknown']])
  })

  test('whose query looks at the past is refused', () => {
    const rules = [{ ...good, query: 'symbol=AAPL&asof=2024-01-01' }]
    expect(parse({ webhooks, rules }).problems).toMatchObject([
      { place: 'rules[0].query', message: 'contains asof, which a rule cannot use' },
    ])
  })

  test('says nothing of a secret, whatever is wrong with it', () => {
    const secret = 'whsec_thisoneistooshort'
    const wrong = {
      a: { url: 'x', secret },
      b: { url: 'https://x.example/', secret, secret_file: '/x' },
    }
    expect(JSON.stringify(parse({ webhooks: wrong, rules: [] }).problems)).not.toContain('tooshort')
  })

  test('asks for something else by what it looks for, not by whom it tells and how often', () => {
    const definitionOf = (rule: object) =>
      parse({ webhooks, rules: [rule] }).rules[0]?.definition ?? 'none'
    const definition = definitionOf(good)
    expect(definitionOf({ ...good, name: 'Other', at_most_an_hour: 1 })).toBe(definition)
    expect(definitionOf({ ...good, query: 'symbol=MSFT' })).not.toBe(definition)
  })
})

const aRule = fc.oneof(
  fc.constant(good),
  fc.record(
    {
      name: fc.constantFrom('A rule', '', ' x', 7),
      webhook: fc.constantFrom('chat', ''),
      kind: fc.constantFrom('ratings', 'crossing', 'change', 'sync', 'other'),
      query: fc.constantFrom('', 'symbol=AAPL', 3),
      symbols: fc.constantFrom(['AAPL'], [], 'AAPL', [''], [3]),
      value: fc.constantFrom('3.5', '3.12345', 3.5, '-1'),
      by: fc.constantFrom('0.5', 'half'),
      days: fc.constantFrom(30, 0, 1.5, '30'),
      minimum: fc.constantFrom(3, 0),
      alarms: fc.constantFrom(['disk'], ['rain'], []),
      at_most_an_hour: fc.constantFrom(1, 0, 3600, 3601),
    },
    { requiredKeys: ['name', 'webhook', 'kind'] },
  ),
)

test('the schema that editors read takes what is taken here, and nothing else', () => {
  const isTaken = new Ajv({ strict: false, unicodeRegExp: true }).compile(toAlertsSchema())
  let taken = 0
  fc.assert(
    fc.property(aRule, (rule) => {
      const content = { webhooks, rules: [rule] }
      const { rules, problems } = parse(content)
      expect(isTaken(content)).toBe(problems.length === 0)
      taken += rules.length
    }),
    { numRuns: draws(400) },
  )
  expectReach(taken, 20)
})

test('where a text stops being JSON is found, and only where it does', () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const broken = fc
    .tuple(
      fc.jsonValue({ maxDepth: 3 }),
      fc.nat(60),
      fc.constantFrom('', ',', '}', '"', '\n', '0', 'x', '\u00a0', '\u0085', '\t'),
    )
    .map(([value, at, odd]) => {
      const text = JSON.stringify(value, null, 1)
      return text.slice(0, at) + odd + text.slice(at + 1)
    })
  fc.assert(
    fc.property(broken, (text) => {
      const line = findBrokenLine(text)
      expect(line === null).toBe(isJson(text))
      expect(line ?? 1).toBeLessThanOrEqual(text.split('\n').length)
    }),
  )
})

test('the line of anything in a JSON text is found', () => {
  const walk = (value: unknown, path: PropertyKey[], found: PropertyKey[][]) => {
    found.push(path)
    if (typeof value !== 'object' || value === null) return found
    for (const [key, inner] of Object.entries(value)) {
      walk(inner, [...path, Array.isArray(value) ? Number(key) : key], found)
    }
    return found
  }
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const text = JSON.stringify(value, null, 2)
      const lines = text.split('\n')
      const findLine = createLineFinder(text)
      for (const path of walk(value, [], [])) {
        const line = lines[findLine(path) - 1] ?? ''
        const last = path.at(-1)
        if (typeof last === 'string') {
          expect(line.trimStart().startsWith(`${JSON.stringify(last)}:`)).toBe(true)
        }
      }
    }),
  )

  expect(toPlace(['rules', 2, 'query'])).toBe('rules[2].query')
})
