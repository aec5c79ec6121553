import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { openTestEditions, RATINGS } from './editions.test-support.ts'
import {
  createScriptedService,
  DAY,
  range,
  SUNDAY,
  toCsv,
  toRating,
  WEDNESDAY,
} from './scripted-service.test-support.ts'

const failing = (fault: string) => expect.objectContaining({ fault })

describe('an edition', () => {
  test('is kept whole, typed and hashed, under the name of its Sunday', async () => {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions, dir } = await openTestEditions(service)
    const kept = await editions.ensure('posts')
    const text = await readFile(kept.path, 'utf8')
    expect(text).toBe(toCsv(RATINGS))
    expect(kept).toMatchObject({
      edition: SUNDAY,
      fileName: `posts-${SUNDAY}.csv`,
      rows: 100,
      bytes: text.length,
      fetched_at: WEDNESDAY,
      next_due_at: nextEditionAt(WEDNESDAY),
    })
    expect(kept.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(kept.firstRows).toHaveLength(20)
    const types = Object.fromEntries(kept.columns.map(({ name, type }) => [name, type]))
    expect(types).toMatchObject({ id: 'integer', symbol: 'text', prediction: 'decimal' })
    expect((await readdir(dir)).sort()).toEqual([`posts-${SUNDAY}.csv`, `posts-${SUNDAY}.json`])
  })

  test('of lookups may have any columns', async () => {
    const service = createScriptedService()
    service.dumps.lookups = () => 'wann;was;"wie ""viel"""\n1;"a\nb";0,5\n2;;\n'
    const { editions } = await openTestEditions(service)
    const kept = await editions.ensure('lookups')
    expect(kept.columns).toEqual([
      { name: 'wann', type: 'integer' },
      { name: 'was', type: 'text' },
      { name: 'wie "viel"', type: 'text' },
    ])
    expect(kept.firstRows).toEqual([
      ['1', 'a\nb', '0,5'],
      ['2', '', ''],
    ])
  })

  test('is refused where a column is missing or comes twice, or where it is no CSV at all', async () => {
    for (const text of [
      toCsv(RATINGS).replace('user_id', 'member'),
      toCsv(RATINGS).replace('user_id', 'symbol'),
      '<!doctype html>\n<p>Maintenance\n',
      '{"success":false}\n',
      '',
    ]) {
      const service = createScriptedService()
      service.dumps.posts = () => text
      const { editions, dir } = await openTestEditions(service)
      await expect(editions.ensure('posts')).rejects.toThrow(failing('upstream_contract'))
      expect(await readdir(dir)).toEqual([])
    }
  })

  test('with a column that it cannot name apart is refused for lookups too', async () => {
    const service = createScriptedService()
    service.dumps.lookups = () => 'id,id\n1,2\n'
    const { editions } = await openTestEditions(service)
    await expect(editions.ensure('lookups')).rejects.toThrow(failing('upstream_contract'))
  })
})

test('the same bytes a week later are not stored twice', async () => {
  const service = createScriptedService({ ratings: RATINGS })
  const { editions, clock, reopen } = await openTestEditions(service)
  const first = await editions.ensure('posts')
  clock.at += 7 * DAY
  const second = await editions.ensure('posts')
  expect(second).toMatchObject({ edition: '2026-11-22', fetched_at: clock.at })
  expect(second.sha256).toBe(first.sha256)
  expect((await stat(second.path)).ino).toBe((await stat(first.path)).ino)
  expect((await reopen()).current('posts')).toEqual(second)
})

test('of many editions the newest few stay', async () => {
  const service = createScriptedService({ ratings: [...RATINGS] })
  const { editions, clock, dir } = await openTestEditions(service, { keep: 2 })
  for (const id of range(101, 105)) {
    service.ratings.push(toRating(id))
    await editions.ensure('posts')
    clock.at += 7 * DAY
  }
  const names = ['2026-12-06', '2026-12-13'].flatMap((day) => [
    `posts-${day}.csv`,
    `posts-${day}.json`,
  ])
  expect((await readdir(dir)).sort()).toEqual(names)
})

describe('visitors', () => {
  const spent = () =>
    new AppError('budget_spent', 'Their share is spent.', { retryAfterSeconds: 900 })

  /** A service whose client refuses people. */
  function createSparingService() {
    const service = createScriptedService({ ratings: RATINGS })
    const { fetchDump } = service
    const paid: string[] = []
    service.fetchDump = async (kind, options = {}) => {
      paid.push(options.purpose ?? 'dump')
      if (options.purpose === 'people') throw spent()
      return await fetchDump(kind, options)
    }
    return { service, paid }
  }

  test('by the hundred, where nothing is kept, cost one request of the share of people', async () => {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions } = await openTestEditions(service)
    const visits = range(1, 200).map(() => editions.ensure('posts', { purpose: 'people' }))
    expect(new Set(await Promise.all(visits)).size).toBe(1)
    expect(service.requests).toEqual(['posts'])
  })

  test('never cost one where an edition is kept, however old', async () => {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions, clock } = await openTestEditions(service)
    const kept = await editions.ensure('posts')
    clock.at += 21 * DAY
    for (const _ of range(1, 200)) {
      expect(await editions.ensure('posts', { purpose: 'people' })).toBe(kept)
    }
    expect(service.requests).toEqual(['posts'])
  })

  test('whose share is spent are told so without being asked for, and the sync fetches all the same', async () => {
    const { service, paid } = createSparingService()
    const { editions } = await openTestEditions(service)
    for (const _ of range(1, 5)) {
      const visit = editions.ensure('posts', { purpose: 'people' })
      await expect(visit).rejects.toMatchObject({ message: spent().message })
    }
    expect(paid).toEqual(['people'])
    expect((await editions.ensure('posts')).rows).toBe(100)
    expect((await editions.ensure('posts', { purpose: 'people' })).rows).toBe(100)
    expect(paid).toEqual(['people', 'dump'])
  })

  test('who asked a moment before the sync do not keep it from fetching', async () => {
    const { service, paid } = createSparingService()
    const { editions } = await openTestEditions(service)
    const visit = editions.ensure('posts', { purpose: 'people' })
    const synced = editions.ensure('posts')
    await expect(visit).rejects.toThrow(spent().message)
    expect((await synced).rows).toBe(100)
    expect(paid).toEqual(['people', 'dump'])
  })
})

test('a folder that cannot be written to is said to be so, and used again when it can', async () => {
  const service = createScriptedService({ ratings: RATINGS })
  const { editions, clock, dir } = await openTestEditions(service)
  await rm(dir, { recursive: true })
  await expect(editions.ensure('posts')).rejects.toThrow(failing('not_ready'))
  expect(editions.card('posts').reason).toMatch(/could not be written to disk/)
  await mkdir(dir)
  clock.at += 60
  expect((await editions.ensure('posts')).rows).toBe(100)
})

test('an edition whose file somebody took away is fetched again', async () => {
  const service = createScriptedService({ ratings: RATINGS })
  const { editions } = await openTestEditions(service)
  const { path } = await editions.ensure('posts')
  await rm(path)
  await editions.ensure('posts')
  expect(await readFile(path, 'utf8')).toBe(toCsv(RATINGS))
  expect(service.requests).toEqual(['posts', 'posts'])
})

test('closing ends a fetch, and leaves no part of it', async () => {
  const service = createScriptedService({ ratings: RATINGS })
  const closed = new AbortController()
  service.fetchDump = async (_, { signal } = {}) => {
    signal?.addEventListener('abort', () => closed.abort())
    return {
      body: endless(closed.signal),
      totalBytes: null,
      from: 0,
      validators: { etag: null, lastModified: null },
    }
  }
  const { editions, dir } = await openTestEditions(service)
  const ensured = editions.ensure('posts')
  await new Promise(setImmediate)
  await Promise.all([expect(ensured).rejects.toThrow(AppError), editions.close()])
  expect(await readdir(dir)).toEqual([])
})

async function* endless(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(toCsv(RATINGS))
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  throw signal.reason
}
