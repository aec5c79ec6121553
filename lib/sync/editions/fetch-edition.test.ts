import { createHash } from 'node:crypto'
import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import type { Validators } from '#lib/upstream/upstream.ts'
import {
  createDumpService,
  type DumpService,
  openTestEditions,
  RATINGS,
} from '#testing/sync/edition-store.ts'
import {
  createScriptedService,
  DAY,
  down,
  HOUR,
  makeFolder,
  range,
  SUNDAY,
  toCsv,
  toRating,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'

const TEXT = toCsv(RATINGS)
const OTHER = toCsv(RATINGS.map((rating) => ({ ...rating, tally_agree: 7 })))
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function breakOff(service: DumpService, bytes: number) {
  service.breaksAfter = bytes
  const opened = await openTestEditions(service)
  await expect(opened.editions.ensure('posts')).rejects.toThrow(down().message)
  service.breaksAfter = null
  opened.clock.at += 60
  service.asked.length = 0
  return opened
}

test('a fetch that broke off is gone on with where it ended, also after a restart', async () => {
  for (const restarts of [false, true]) {
    const service = createDumpService({ etag: '"one"' })
    const opened = await breakOff(service, 3333)
    const editions = restarts ? await opened.reopen() : opened.editions
    const kept = await editions.ensure('posts')
    expect(service.asked).toEqual([{ part: 3333, held: null }])
    expect(await readFile(kept.path, 'utf8')).toBe(TEXT)
    expect(kept).toMatchObject({ sha256: sha256(TEXT), rows: 100, fetched_at: WEDNESDAY })
    expect(kept.firstRows[0]?.[0]).toBe('1')
    expect(await opened.names()).toEqual(['posts-2026-11-15.csv', 'posts-2026-11-15.json'])
  }
})

test('wherever it breaks off, and however often, the whole is what the service has', async () => {
  const service = createDumpService({ etag: '"one"' })
  const { editions, clock } = await openTestEditions(service)
  service.breaksAfter = 997
  let tries = 0
  for (; tries < 50; tries += 1) {
    const kept = await editions.ensure('posts', { pressing: true }).catch(() => null)
    clock.at += 60
    if (!kept) continue
    expect(await readFile(kept.path, 'utf8')).toBe(TEXT)
    break
  }
  expect(tries).toBe(Math.ceil(TEXT.length / 997) - 1)
})

test('a dump that was replaced while it downloaded is begun anew, never spliced', async () => {
  const service = createDumpService({ etag: '"one"' })
  const { editions } = await breakOff(service, 3333)
  service.validators = { etag: '"two"', lastModified: null }
  service.dumps.posts = () => OTHER
  const kept = await editions.ensure('posts')
  expect(service.asked).toEqual([{ part: 3333, held: null }])
  expect(await readFile(kept.path, 'utf8')).toBe(OTHER)
  expect(kept.sha256).toBe(sha256(OTHER))
})

test.each([
  ['of other validators', { validators: { etag: '"two"', lastModified: null } }],
  ['that begins elsewhere', { from: 3000 }],
  ['of another length', { totalBytes: 5 }],
])('a rest %s is not taken, and the next attempt begins anew', async (_, change) => {
  const service = createDumpService({ etag: '"one"' })
  const { editions, clock } = await breakOff(service, 3333)
  const { fetchDump } = service
  service.fetchDump = async (kind, options) => ({ ...(await fetchDump(kind, options)), ...change })
  await expect(editions.ensure('posts')).rejects.toMatchObject({ fault: 'upstream_contract' })
  service.fetchDump = fetchDump
  clock.at += 3600
  const kept = await editions.ensure('posts')
  expect(service.asked.at(-1)).toEqual({ part: null, held: null })
  expect(kept.sha256).toBe(sha256(TEXT))
})

test.each([
  ['without a validator', null, null],
  ['with a weak one', 'W/"one"', null],
  ['with a second that had not passed yet', null, new Date(WEDNESDAY * 1000).toUTCString()],
])('a part %s is not kept, since nothing tells it from another', async (_, etag, lastModified) => {
  const service = createDumpService({ etag, lastModified })
  const { editions, names } = await breakOff(service, 3333)
  expect(await names()).toEqual([])
  await editions.ensure('posts')
  expect(service.asked).toEqual([{ part: null, held: null }])
})

test.each([
  ['is older than its week', async () => undefined, 7 * DAY],
  ['lost bytes', async (path: string) => await truncate(path, 3000), 0],
  ['holds other bytes', async (path: string) => await writeFile(path, OTHER.slice(0, 3333)), 0],
  ['is not described', async (path: string) => await writeFile(toNote(path), '{"bytes":3}'), 0],
])('a part that %s is thrown away', async (_, damage, seconds) => {
  const service = createDumpService({ etag: '"one"' })
  const opened = await breakOff(service, 3333)
  await damage(join(opened.dir, 'posts.csv.part'))
  opened.clock.at += seconds
  const kept = await (await opened.reopen()).ensure('posts')
  expect(service.asked).toEqual([{ part: null, held: null }])
  expect(kept.sha256).toBe(sha256(TEXT))
})

test('the same dump a week later costs a request and no download', async () => {
  const service = createDumpService({ etag: '"one"' })
  const { editions, clock } = await openTestEditions(service)
  const first = await editions.ensure('posts')
  clock.at += 7 * DAY
  const second = await editions.ensure('posts')
  expect(service.asked.at(-1)).toEqual({ part: null, held: '"one"' })
  expect(second).toMatchObject({ edition: '2026-11-22', unchanged: true, fetched_at: clock.at })
  expect((await stat(second.path)).ino).toBe((await stat(first.path)).ino)

  service.validators = { etag: '"two"', lastModified: null }
  service.ratings = [...RATINGS, toRating(101)]
  clock.at += 7 * DAY
  expect(await editions.ensure('posts')).toMatchObject({ rows: 101, unchanged: false })
})

test('bytes that rotted are not taken over into the next week', async () => {
  const service = createDumpService({ etag: '"one"' })
  const { editions, clock } = await openTestEditions(service)
  const { path } = await editions.ensure('posts')
  await writeFile(path, TEXT.replace('AAPL', 'AAPX'))
  clock.at += 7 * DAY
  expect((await editions.ensure('posts')).sha256).toBe(sha256(TEXT))
  expect(service.asked.at(-1)).toEqual({ part: null, held: null })
})

test('asked again in its week, the service says whether it has another by now', async () => {
  const service = createDumpService({ etag: '"one"' })
  const { editions, clock, names } = await openTestEditions(service)
  const first = await editions.ensure('posts')
  clock.at += 3600
  expect(await editions.ensure('posts', { again: true })).toBe(first)
  expect(service.asked.at(-1)).toEqual({ part: null, held: '"one"' })
  service.validators = { etag: '"two"', lastModified: null }
  service.dumps.posts = () => OTHER
  const second = await editions.ensure('posts', { again: true })
  expect(await readFile(second.path, 'utf8')).toBe(OTHER)
  expect(second.edition).toBe(first.edition)
  expect(await names()).toEqual(['posts-2026-11-15.csv', 'posts-2026-11-15.json'])
})

const toNote = (path: string) => path.replace('.csv.part', '.part.json')

describe('a truncated dump', () => {
  const text = toCsv(range(1, 5).map((id) => toRating(id, { symbol: 'Ünï"x' })))
    .replaceAll('Ünï"x', '"Ünï""x"')
    .replaceAll('Initiated', '"In\nitiated"')
  const bytes = new TextEncoder().encode(text)
  const rowEnds = new Set(
    [...text.matchAll(/\d\n(?=\d|$)|date\n/g)].map(
      ({ index, 0: found }) => new TextEncoder().encode(text.slice(0, index + found.length)).length,
    ),
  )

  test('is refused at every byte that is not the end of a row, even the first time', async () => {
    expect(rowEnds.size).toBe(6)
    for (let cut = 0; cut < bytes.length; cut += 1) {
      if (rowEnds.has(cut)) continue
      const service = createScriptedService({ chunk: 7 })
      service.dumps.posts = () => bytes.subarray(0, cut)
      const { editions } = await openTestEditions(service, { dir: await sharedFolder() })
      await expect(editions.ensure('posts'), `cut at ${cut}`).rejects.toThrow(AppError)
    }
  })

  test('is noticed by its length at any of a thousand places, and the edition before stays served', async () => {
    const whole = new TextEncoder().encode(toCsv(RATINGS))
    const service = createScriptedService({ ratings: RATINGS })
    const { editions, clock, names } = await openTestEditions(service)
    const first = await editions.ensure('posts')
    const { fetchDump } = service
    service.fetchDump = async (kind) => ({ ...(await fetchDump(kind)), totalBytes: whole.length })
    for (let place = 0; place < 1000; place += 1) {
      const cut = Math.floor((place * whole.length) / 1000)
      clock.at += 7 * DAY
      service.dumps.posts = () => whole.subarray(0, cut)
      expect(await editions.ensure('posts'), `cut at ${cut}`).toBe(first)
    }
    expect(await names()).toEqual([first.fileName, `posts-${SUNDAY}.json`])
  })

  let shared: Promise<string> | null = null
  function sharedFolder() {
    shared ??= makeFolder()
    return shared
  }
})

describe('a dump whose end is known', () => {
  async function openSaid(
    text: string | Uint8Array,
    change: Partial<Validators> = {},
    perMonth: number | null = null,
  ) {
    const service = createDumpService(change)
    service.dumps.posts = () => text
    service.limits.month.limit = perMonth
    return { service, ...(await openTestEditions(service)) }
  }

  test.each([
    ['with a footer', `${TEXT}100 rows\n`],
    ['with a footer and no last line break', `${TEXT}100 rows`],
    ['whose last row has a cell less', `${TEXT}101,4,AAPL\n`],
  ])('%s is not cut short', async (_, text) => {
    const { editions } = await openSaid(text)
    expect(await editions.ensure('posts')).toMatchObject({ rows: 101, bytes: text.length })
  })

  test.each([
    ['inside quotes', `${TEXT}101,4,"AAPL`],
    ['inside a character', new Uint8Array([...new TextEncoder().encode(TEXT), 0xc3])],
  ])('that ends %s is invalid, not cut short', async (_, text) => {
    const { editions } = await openSaid(text)
    await expect(editions.ensure('posts')).rejects.toMatchObject({ fault: 'upstream_contract' })
  })

  const INVALID = TEXT.replace('user_id', 'member')

  test('and that is invalid is fetched once more, and then not before the next is due, over restarts', async () => {
    const { service, editions, clock, reopen } = await openSaid(INVALID, {}, 100)
    for (let hour = 0; hour < 80; hour += 1) {
      const ensured = hour % 10 === 9 ? (await reopen()).ensure('posts') : editions.ensure('posts')
      await expect(ensured).rejects.toMatchObject({ fault: 'upstream_contract' })
      clock.at += HOUR
    }
    expect(service.asked).toHaveLength(2)
    expect(editions.failure('posts')?.message).toBe(
      'The posts dump lacks columns: user_id. The dump has been invalid since 2026-11-18 12:00:00 UTC.',
    )
    clock.at = nextEditionAt(clock.at)
    service.dumps.posts = () => TEXT
    expect(await editions.ensure('posts')).toMatchObject({ rows: 100 })
    expect(editions.failure('posts')).toBeNull()
  })

  test('and that is invalid is asked about by its version, hourly without a monthly limit, until it has changed', async () => {
    const { service, editions, clock } = await openSaid(INVALID, { etag: '"one"' })
    for (let minute = 0; minute < 300; minute += 1) {
      await editions.ensure('posts', { pressing: true }).catch(() => undefined)
      clock.at += 60
    }
    expect(service.asked.map(({ held }) => held)).toEqual([null, ...Array(5).fill('"one"')])
    service.validators = { etag: '"two"', lastModified: null }
    service.dumps.posts = () => TEXT
    clock.at += HOUR
    expect(await editions.ensure('posts')).toMatchObject({ rows: 100 })
  })
})

test('a dump that may be cut short is whole where it arrives twice, also after a restart', async () => {
  const service = createScriptedService()
  service.dumps.posts = () => `${TEXT}100 rows`
  const { editions, clock, reopen } = await openTestEditions(service)
  await expect(editions.ensure('posts')).rejects.toThrow(/cut short/)
  clock.at += HOUR
  expect(await (await reopen()).ensure('posts')).toMatchObject({ rows: 101 })
})
