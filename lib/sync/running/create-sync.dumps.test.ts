import { describe, expect, onTestFinished, test } from 'vitest'
import { selectQuarantine } from '#lib/archive/quarantine/quarantine.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import {
  type Fault,
  status,
  toFailureAnswer,
  withoutLength,
} from '#testing/hostile-service/faults.ts'
import { makeRating, toCsv } from '#testing/make-ratings.ts'
import { HOUR, range, WEDNESDAY } from '#testing/sync/scripted-service.ts'
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
