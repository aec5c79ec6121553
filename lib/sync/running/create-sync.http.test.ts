import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { selectQuarantine } from '#lib/archive/quarantine/quarantine.ts'
import { AppError } from '#lib/contract/faults.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { toWaitSeconds } from '#lib/sync/failure-memory.ts'
import { nextMonthAt } from '#lib/upstream/ledger.ts'
import { draws } from '#testing/draws.ts'
import {
  type Fault,
  status,
  toFailureAnswer,
  tooMany,
  withoutLength,
} from '#testing/hostile-service/faults.ts'
import type { ServiceScript } from '#testing/hostile-service/service-script.ts'
import { makeRating, toCsv } from '#testing/make-ratings.ts'
import { DAY, HOUR, range, WEDNESDAY } from '#testing/sync/scripted-service.ts'
import { kindsOf } from '#testing/sync/sync-in-virtual-time.ts'
import { openSyncOverHttp } from '#testing/sync/sync-over-http.ts'

const RATINGS = range(1, 12).map((id) => makeRating(id, { created_at: WEDNESDAY - 99 * HOUR + id }))
const CSV = toCsv(RATINGS)

async function open(
  text: string | Uint8Array,
  { perMonth = 100, way }: { perMonth?: number | null; way?: Fault } = {},
) {
  const world = await openSyncOverHttp(
    { ratings: RATINGS, dumps: { posts: () => text, lookups: () => 'id\n1\n' } },
    { perMonth },
  )
  onTestFinished(world.end)
  if (way) world.service.misbehave(way, { on: ['posts'] })
  const loadQuarantine = async () =>
    (await selectQuarantine(world.archive.reader, 9)).map(({ source, reason, raw }) => ({
      source,
      reason,
      raw,
    }))
  return { ...world, loadQuarantine }
}

const FOOTER = {
  source: '2026-11-15, line 14',
  reason: '1 cells under 15 columns',
  raw: '["12 rows"]',
}

describe('a dump that arrived whole', () => {
  test.each([
    ['with line ends of CR CR LF', CSV.replaceAll('\n', '\r\r\n'), []],
    ['with a comma behind every row', CSV.replaceAll(/(\d)\n/g, '$1,\n'), []],
    ['with a comma behind every line', CSV.replaceAll('\n', ',\n'), []],
    ['with whole numbers written 1.0', CSV.replaceAll(/,(\d+)(?=,|\n)/g, ',$1.0'), []],
    ['with a footer', `${CSV}12 rows\n`, [FOOTER]],
    ['with a footer and no last line break', `${CSV}12 rows`, [FOOTER]],
    [
      'with a quote that is not closed where its cell ends',
      CSV.replace('\n', '\n"13"x,1,AAPL\n'),
      [
        {
          source: '2026-11-15, line 2',
          reason: 'text after a closing quote',
          raw: JSON.stringify(['"13"x', '1', 'AAPL']),
        },
      ],
    ],
    ['with quoted numbers', CSV.replaceAll(/^(\d+),/gm, '"$1",'), []],
  ])('%s is read, and each row that is no rating is in quarantine', async (_, text, quarantine) => {
    const { start, ids, archive, editions, service, loadQuarantine } = await open(text)
    await start()
    expect(await ids()).toEqual(range(1, 12))
    expect(await loadQuarantine()).toEqual(quarantine)
    expect(editions.current('posts')?.rows).toBe(12 + quarantine.length)
    expect(archive.state().completeTo).toBe(WEDNESDAY)
    expect(service.count('posts')).toBe(1)
  })

  test.each([
    ['lacks a column', CSV.replaceAll(/^([^,]+),[^,]+/gm, '$1')],
    ['is not UTF-8', Buffer.from(CSV.replace('AAPL', 'é'), 'latin1')],
    [
      'has no rows that are ratings',
      [RATING_FIELDS.join(','), ...range(1, 20).map((id) => `${id},no`)].join('\n'),
    ],
  ])(
    'and %s is fetched at most twice a week, and the archive is complete by the pages',
    async (_, text) => {
      const { start, service, time, sync, ids, archive, editions } = await open(text)
      await start()
      expect(await ids()).toEqual(range(1, 12))
      await time.pass(nextEditionAt(WEDNESDAY) - WEDNESDAY - HOUR)
      expect(service.count('posts')).toBeLessThanOrEqual(2)
      expect(editions.failure('posts')?.fault).toBe('upstream_contract')
      expect(kindsOf(sync)).not.toContain('edition_late')
      expect(archive.state().completeTo).toBeGreaterThan(time.at - 12 * HOUR)
      service.dumps.posts = () => CSV
      await time.pass(3 * HOUR)
      expect(editions.current('posts')?.rows).toBe(12)
      expect(service.count('posts')).toBeLessThanOrEqual(3)
    },
  )
})

describe('a dump that is older than its Sunday', () => {
  const posted = range(1, 40).map((id) =>
    makeRating(id, { created_at: WEDNESDAY - 999 * HOUR + id }),
  )
  const openBehind = async (dumped: number) => {
    const world = await openSyncOverHttp(
      {
        ratings: posted,
        pageSize: 10,
        dumps: { posts: () => toCsv(posted.slice(0, dumped)), lookups: () => 'id\n1\n' },
      },
      { perMonth: null },
    )
    onTestFinished(world.end)
    return world
  }

  test.each([0, 15])(
    'claims no more than its %i rows, while no page can be read',
    async (dumped) => {
      const { start, service, archive, ids } = await openBehind(dumped)
      service.misbehave(status(503), { on: ['page'] })
      await start()
      expect(await ids()).toEqual(range(1, dumped))
      expect(archive.state().completeTo).toBe(posted[dumped - 1]?.created_at ?? 0)
    },
  )

  test.each([0, 15])(
    'and has %i rows is completed by the pages, though their reading breaks off',
    async (dumped) => {
      const { start, service, archive, time, ids } = await openBehind(dumped)
      let failures = 3
      const change: Fault['change'] = (honest, { url }) => {
        const fails = new URL(url).searchParams.get('page') === '2' && failures > 0
        if (!fails) return honest
        failures -= 1
        return toFailureAnswer(503, 'no')
      }
      service.misbehave({ change }, { on: ['page'] })
      await start()
      await time.pass(9 * HOUR)
      expect(await ids()).toEqual(range(1, 40))
      expect(archive.state().completeTo).toBeGreaterThan(WEDNESDAY)
    },
  )
})

const ODD_ROWS: [string, object, string | null][] = [
  ['a field named __proto__', JSON.parse('{"__proto__":"x"}'), null],
  ['a field named constructor', { constructor: 'x' }, null],
  ['a field with an empty name', { '': 'x' }, null],
  ['a field whose name has markup', { '"><script>': 'x' }, null],
  ['a field whose name has a line break', { 'a\nb': 'x' }, null],
  ['an action that nobody knows', { action: 77, action_label: 'Teleported' }, null],
  ['a rating below 0', { rating: -3 }, null],
  ['a symbol in other letters', { symbol: 'Ünïcode 漢' }, null],
  ['a tally below 0', { tally_agree: -1 }, 'tally_agree: below 0'],
  ['a rating and a half', { rating: 4.5 }, 'rating: not a whole number'],
  ['a prediction in words', { prediction: 'up' }, 'prediction: not a decimal number'],
  [
    'an instant in milliseconds',
    { created_at: 1_800_000_000_000 },
    'created_at: above 253402300799',
  ],
]

function toQuotedCsv(rows: [object, ...object[]]): string {
  const columns = Object.keys(rows[0])
  const cells = rows.map((row) => {
    const fields = new Map<string, unknown>(Object.entries(row))
    return columns.map((name) => fields.get(name) ?? '')
  })
  const quote = (cell: unknown) => `"${String(cell).replaceAll('"', '""')}"`
  return [columns, ...cells].map((line) => `${line.map(quote).join(',')}\n`).join('')
}

describe('a row with', () => {
  test.each(ODD_ROWS)(
    '%s is read from a page and from a dump, or is in quarantine',
    async (_, change, reason) => {
      const odd = { ...makeRating(13, { created_at: WEDNESDAY - HOUR }), ...change }
      const fromDump = await open(toQuotedCsv([odd, ...RATINGS]))
      const fromPage = await open('')
      fromPage.service.broken = [odd]
      for (const { start, ids, loadQuarantine } of [fromDump, fromPage]) {
        await start()
        expect(await ids()).toEqual(range(1, reason === null ? 13 : 12))
        const reasons = (await loadQuarantine()).map((row) => row.reason)
        expect(reasons).toEqual(reason === null ? [] : [reason])
      }
    },
  )
})

describe('a dump that is cut within a row although its chunks end cleanly', () => {
  const newestFirst = toCsv(RATINGS.toReversed())
  const cut = newestFirst.slice(0, newestFirst.indexOf(',', newestFirst.indexOf('\n6,') + 3))
  const way = withoutLength()

  test('is fetched once more, and taken when it is whole then', async () => {
    const { start, service, time, ids, sync, archive, editions } = await open(cut, {
      perMonth: null,
      way,
    })
    await start()
    expect(sync.state().reason).toContain('The dump was cut short: it ends within a row.')
    expect(archive.state()).toMatchObject({ ratings: 0, completeTo: null })
    service.dumps.posts = () => newestFirst
    await time.pass(HOUR)
    expect(service.count('posts')).toBe(2)
    expect(await ids()).toEqual(range(1, 12))
    expect(editions.current('posts')?.rows).toBe(12)
    expect(kindsOf(sync)).toEqual([])
  })

  test('raises an alarm the second time and claims nothing; the pages fill the archive', async () => {
    const { start, service, time, ids, sync, archive, editions } = await open(cut, {
      perMonth: null,
      way,
    })
    service.misbehave(status(500), { on: ['page'] })
    await start()
    await time.pass(2 * HOUR)
    expect(service.count('posts')).toBe(2)
    expect(archive.state()).toMatchObject({ ratings: 0, completeTo: null })
    expect(editions.current('posts')).toBeNull()
    expect(sync.alarms().find(({ kind }) => kind === 'edition_aside')?.message).toContain(
      'The dump was cut short: it ends within a row.',
    )
    service.behave()
    await time.pass(8 * HOUR)
    expect(await ids()).toEqual(range(1, 12))
    expect(archive.state().gaps.unexplained).toBe(0)
    expect(kindsOf(sync)).toContain('edition_aside')
  })
})

type Numbered = Pick<ServiceScript, 'firstPage' | 'pageZero' | 'pastEnd' | 'order'>
type Community = { posted: number; dumped: number | null }

async function openNumbered(
  numbered: Numbered,
  { posted, dumped }: Community,
  perMonth: number | null,
) {
  const ratings = range(1, posted).map((id) =>
    makeRating(id, { created_at: WEDNESDAY - (posted - id) * HOUR }),
  )
  const world = await openSyncOverHttp({ ...numbered, pageSize: 10, ratings }, { perMonth })
  world.service.dumps.posts = () => toCsv(ratings.slice(0, dumped ?? 0))
  if (dumped === null) world.service.misbehave(status(404), { on: ['posts'] })
  return world
}

async function selectFalselyClaimed({
  archive,
  service,
  ids,
}: Awaited<ReturnType<typeof openNumbered>>) {
  const completeTo = archive.state().completeTo ?? 0
  const held = new Set(await ids())
  return service.ratings.filter(({ id, created_at }) => created_at <= completeTo && !held.has(id))
}

test('a service that counts its pages from 0, with a dump that is behind and a hundred requests a month, is held in full', async () => {
  const { start, end, ids, archive, discovery } = await openNumbered(
    { firstPage: 0, pageZero: 'error', pastEnd: 'empty', order: 'newest' },
    { posted: 35, dumped: 31 },
    100,
  )
  onTestFinished(end)
  await start()
  expect(await ids()).toEqual(range(1, 35))
  expect(archive.state().completeTo).toBe(WEDNESDAY)
  expect(discovery.read().first_page).toBe(0)
})

test.each(['unauthorized', 'forbidden', 'not_found', 'error'] as const)(
  'a page 0 that is refused (%s) says nothing about the key: pages are counted from 1',
  async (pageZero) => {
    const { start, end, ids, discovery, sync, archive } = await openNumbered(
      { firstPage: 1, pageZero, pastEnd: 'empty', order: 'newest' },
      { posted: 35, dumped: 31 },
      100,
    )
    onTestFinished(end)
    await start()
    expect(await ids()).toEqual(range(1, 35))
    expect(archive.state().completeTo).toBe(WEDNESDAY)
    expect(discovery.read().first_page).toBe(1)
    expect(kindsOf(sync)).toEqual([])
  },
)

test.each([401, 403])(
  'a key that is refused later (%i) is told where pages are counted from 0, and used again when it is accepted',
  async (code) => {
    const { start, end, ids, service, sync, time, discovery } = await openNumbered(
      { firstPage: 0, pageZero: 'error', pastEnd: 'empty', order: 'newest' },
      { posted: 35, dumped: 31 },
      null,
    )
    onTestFinished(end)
    await start()
    service.misbehave(status(code))
    await time.pass(5 * HOUR)
    expect(kindsOf(sync)).toContain('refused')
    service.behave()
    service.ratings.push(makeRating(36, { created_at: time.at }))
    await time.pass(6 * HOUR)
    expect(kindsOf(sync)).not.toContain('refused')
    expect(await ids()).toEqual(range(1, 36))
    expect(discovery.read().first_page).toBe(0)
  },
)

const aNumbered = fc.record({
  firstPage: fc.constantFrom(0 as const, 1 as const),
  pageZero: fc.constantFrom(
    'error',
    'unauthorized',
    'forbidden',
    'not_found',
    'fails',
    'empty',
    'first',
    'last',
  ),
  pastEnd: fc.constantFrom('empty', 'not_found', 'error', 'repeats'),
  order: fc.constantFrom('newest', 'oldest'),
})
const aCommunity = fc.record({
  posted: fc.constantFrom(0, 1, 3, 9, 10, 11, 35),
  dumped: fc.constantFrom(null, 0, 2, 5, 20, 35),
  later: fc.constantFrom(0, 1, 8, 12),
})
const aLimit = fc.constantFrom(null, 100)

test('however a service numbers its pages and whatever its dump holds, nothing is claimed that was not read', async () => {
  await fc.assert(
    fc.asyncProperty(aNumbered, aCommunity, aLimit, async (numbered, community, perMonth) => {
      const world = await openNumbered(numbered, community, perMonth)
      const { time, service, archive, start, end } = world
      try {
        await start()
        expect(await selectFalselyClaimed(world)).toEqual([])
        for (const id of range(1, community.later)) {
          service.ratings.push(makeRating(community.posted + id, { created_at: time.at }))
          await time.pass(HOUR)
        }
        await time.pass(DAY)
        await time.settled()
        expect(await selectFalselyClaimed(world)).toEqual([])
        if (numbered.pastEnd === 'repeats') return
        expect(archive.state().completeTo).toBeGreaterThan(WEDNESDAY + HOUR)
      } finally {
        await end()
      }
    }),
    { numRuns: draws(40) },
  )
})

const ABSURD = '99999999999'

async function openLimited(perMonth: number | null) {
  const world = await openSyncOverHttp({ ratings: RATINGS }, { perMonth })
  onTestFinished(world.end)
  return world
}

const SHORT = ['0', '1', '5', new Date((WEDNESDAY - 500) * 1000).toUTCString()]

describe('a 429 with a Retry-After of', () => {
  test.each(SHORT)(
    '%j leaves the pace of a first start to the plan, and a reserve',
    async (text) => {
      const { service, sync, time, start } = await openLimited(100)
      service.misbehave(tooMany(text))
      await start()
      await time.pass(200)
      expect(service.requests.length).toBeLessThanOrEqual(3)
      await time.pass(DAY)
      expect(service.requests.length).toBeLessThanOrEqual(30)
      await time.pass(nextMonthAt(WEDNESDAY) - time.at - 1)
      expect(sync.budget().month.used).toBeLessThan(100)
      expect(sync.budget().spent.dump).toBeLessThanOrEqual(50)
    },
  )

  test.each(SHORT)('%j leaves the pace of following to the backoff', async (text) => {
    const { service, sync, time, start } = await openLimited(null)
    await start()
    service.misbehave(tooMany(text))
    await time.pass(4 * HOUR)
    const before = service.requests.length
    await time.pass(HOUR)
    expect(service.requests.length - before).toBeLessThanOrEqual(12)
    service.behave()
    await time.pass(HOUR)
    await time.settled()
    expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
  })
})

describe('an absurd Retry-After', () => {
  test('pauses for a day at most, and a click probes once', async () => {
    const { service, sync, time, start } = await openLimited(null)
    await start()
    service.misbehave(tooMany(ABSURD))
    await time.pass(5 * HOUR)
    const pausedUntil = sync.budget().paused_until ?? 0
    expect(pausedUntil - time.at).toBeLessThanOrEqual(DAY)
    const before = service.requests.length
    expect(sync.requestRun().at).toBe(time.at)
    await time.pass(1)
    expect(service.requests).toHaveLength(before + 1)
    for (let count = 0; count < 9; count += 1) {
      expect(sync.requestRun().at).toBe(sync.state().next_at)
      await time.pass(HOUR)
    }
    expect(service.requests).toHaveLength(before + 1)
    service.behave()
    await time.pass(DAY)
    await time.settled()
    expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
    expect(sync.budget().paused_until).toBeNull()
  })

  test.each([null, 100])(
    'lets a click fill an empty archive, limited to %s a month',
    async (perMonth) => {
      const { service, sync, time, ids, start } = await openLimited(perMonth)
      const behave = service.misbehave(tooMany(ABSURD))
      await start()
      expect(sync.state().state).toBe('waiting')
      const before = service.requests.length
      behave()
      expect(sync.requestRun().at).toBe(time.at)
      await time.pass(60)
      await time.settled()
      expect(service.requests.length).toBeGreaterThan(before)
      expect(await ids()).toEqual(range(1, 12))
    },
  )
})

test('a delay of the service is a lower bound, and one of our own limits is exact', () => {
  const unavailable = (cause?: unknown) =>
    new AppError('upstream_unavailable', 'Away.', { retryAfterSeconds: 60, cause })
  expect(toWaitSeconds(unavailable(), 600)).toBe(600)
  expect(toWaitSeconds(unavailable(), 5)).toBe(60)
  expect(toWaitSeconds(unavailable('breaker'), 600)).toBe(60)
  const spent = new AppError('budget_spent', 'Spent.', { retryAfterSeconds: 40 })
  expect(toWaitSeconds(spent, 600)).toBe(40)
  expect(toWaitSeconds(new AppError('upstream_timeout', 'Late.'), 600)).toBe(600)
})
