import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { openTestEditions, RATINGS } from '#testing/sync/edition-store.ts'
import {
  createScriptedService,
  DAY,
  down,
  range,
  SUNDAY,
  toCsv,
  toRating,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'

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
      expect(await readdir(dir)).toEqual(['posts.refused.json'])
    }
  })

  test('with a column that it cannot name apart is refused for lookups too', async () => {
    const service = createScriptedService()
    service.dumps.lookups = () => 'id,id\n1,2\n'
    const { editions } = await openTestEditions(service)
    await expect(editions.ensure('lookups')).rejects.toThrow(failing('upstream_contract'))
  })
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
  await editions.settled()
  expect((await readdir(dir)).sort()).toEqual(names)
})

describe('visitors', () => {
  const spent = () =>
    new AppError('budget_spent', 'Their share is spent.', { retryAfterSeconds: 900 })

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
})

describe('fifty visitors', () => {
  test('cost one request, and one that leaves does not end it for the others', async () => {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions } = await openTestEditions(service)
    const leaving = new AbortController()
    const left = editions.ensure('posts', { signal: leaving.signal })
    const visits = range(1, 50).map(() => editions.ensure('posts'))
    expect(editions.card('posts').state).toBe('fetching')
    leaving.abort()
    await expect(left).rejects.toThrow(failing('busy'))
    expect(new Set(await Promise.all(visits)).size).toBe(1)
    expect(service.requests).toEqual(['posts'])
  })

  test('cost one request when it fails too, and all of them are told why', async () => {
    const service = createScriptedService({ before: () => Promise.reject(down()) })
    const asked: string[] = []
    service.before = (what) => {
      asked.push(what)
      throw down()
    }
    const { editions, clock } = await openTestEditions(service)
    const ask = () => Promise.allSettled(range(1, 50).map(() => editions.ensure('posts')))
    for (const result of [...(await ask()), ...(await ask())]) {
      expect(result).toMatchObject({ status: 'rejected', reason: { message: down().message } })
    }
    expect(asked).toHaveLength(1)
    expect(editions.card('posts')).toMatchObject({ state: 'failed', reason: down().message })
    clock.at += 59
    await ask()
    expect(asked).toHaveLength(1)
    clock.at += 1
    await ask()
    expect(asked).toHaveLength(2)
  })
})

test('a failure that names its time is kept that long, whoever presses', async () => {
  let asked = 0
  const service = createScriptedService()
  service.before = () => {
    asked += 1
    throw new AppError('budget_spent', 'Spent.', { retryAfterSeconds: 7200 })
  }
  const { editions, clock } = await openTestEditions(service)
  await expect(editions.ensure('posts')).rejects.toThrow('Spent.')
  clock.at += 7000
  const again = editions.ensure('posts', { pressing: true })
  await expect(again).rejects.toMatchObject({ fault: 'budget_spent', retryAfterSeconds: 200 })
  expect(asked).toBe(1)
  clock.at -= 8 * DAY
  await expect(editions.ensure('posts')).rejects.toThrow('Spent.')
  expect(asked).toBe(2)
})
