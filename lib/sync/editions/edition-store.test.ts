import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { createDumpService, openTestEditions, RATINGS } from '#testing/sync/edition-store.ts'
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

const WEEK = 7 * DAY

async function shrink(left = RATINGS.slice(0, 97)) {
  const service = createDumpService()
  const opened = await openTestEditions(service)
  const first = await opened.editions.ensure('posts')
  opened.clock.at += WEEK
  service.ratings = left
  return { service, first, ...opened }
}

describe('an edition that lost more than a fiftieth of its rows', () => {
  test('is kept aside, while the former one stays current, and the card says why', async () => {
    const { editions, first, service, clock } = await shrink()
    expect(await editions.ensure('posts')).toEqual(first)
    expect(editions.current('posts')).toEqual(first)
    const card = editions.card('posts')
    expect(card.state).toBe('stale')
    expect(card.aside).toMatch(/97 rows; that of 2026-11-15 has 100/)
    expect(card.reason).toBe(card.aside)
    const listed = editions.list('posts').map(({ file_name, state }) => [file_name, state])
    expect(listed).toEqual([
      ['posts-2026-11-22.csv', 'aside'],
      ['posts-2026-11-15.csv', 'current'],
    ])
    const file = await editions.file('posts-2026-11-22.csv')
    expect(file?.path).toMatch(/aside/)
    service.asked.length = 0
    clock.at += 3600
    await editions.ensure('posts', { pressing: true })
    expect(service.asked).toEqual([])
    expect(editions.failure('posts')?.retryAfterSeconds).toBe(nextEditionAt(clock.at) - clock.at)
  })

  test('is confirmed by the next one that lost as much, and then is one of the earlier ones', async () => {
    const { editions, service, clock, reopen } = await shrink()
    await editions.ensure('posts')
    clock.at += WEEK
    service.ratings = [...RATINGS.slice(0, 96), toRating(101)]
    const confirmed = await editions.ensure('posts')
    expect(confirmed).toMatchObject({ edition: '2026-11-29', rows: 97, reason: null })
    for (const store of [editions, await reopen()]) {
      expect(store.current('posts')?.edition).toBe('2026-11-29')
      expect(store.isConfirmed('posts')).toBe(true)
      expect(store.list('posts').map(({ state }) => state)).toEqual([
        'current',
        'earlier',
        'earlier',
      ])
      expect(store.card('posts')).toMatchObject({ state: 'ready', reason: null, aside: null })
    }
  })

  test('is refuted by the next one that has them all, and goes', async () => {
    const { editions, service, clock, names } = await shrink()
    await editions.ensure('posts')
    const aside = await editions.file('posts-2026-11-22.csv')
    clock.at += WEEK
    service.ratings = [...RATINGS.slice(0, 95), ...RATINGS.slice(96), toRating(101)]
    const healed = await editions.ensure('posts')
    expect(healed).toMatchObject({ edition: '2026-11-29', rows: 100, reason: null })
    expect(editions.list('posts').map(({ edition }) => edition)).toEqual([
      '2026-11-29',
      '2026-11-15',
    ])
    expect(existsSync(aside?.path ?? '')).toBe(false)
    expect((await names()).filter((name) => name.startsWith('aside/'))).toEqual([])
  })
})

test('a dump of posts whose newest rating is older than before is kept aside too', async () => {
  const { editions, first } = await shrink(RATINGS.slice(0, 99))
  expect(await editions.ensure('posts')).toEqual(first)
  expect(editions.card('posts').aside).toMatch(/newest rating .* is older/)
})

describe('an edition by which too much would vanish', () => {
  test('is set aside by who imports it, and the one before is current again, also after a restart', async () => {
    const { editions, first, service, reopen, clock } = await shrink(
      range(4, 103).map((id) => toRating(id)),
    )
    await editions.ensure('posts')
    expect(editions.isConfirmed('posts')).toBe(false)
    await editions.holdBack('posts', 'Too much would vanish.')
    for (const store of [editions, await reopen()]) {
      expect(store.current('posts')?.edition).toBe(first.edition)
      expect(store.card('posts').aside).toBe('Too much would vanish.')
      service.asked.length = 0
      expect((await store.ensure('posts')).edition).toBe(first.edition)
      expect(service.asked).toEqual([])
    }
    clock.at += WEEK
    expect((await editions.ensure('posts')).edition).toBe('2026-11-29')
    expect(editions.isConfirmed('posts')).toBe(true)
  })

  test('leaves nothing to serve where none was before, and says so without asking again', async () => {
    const service = createDumpService()
    const { editions } = await openTestEditions(service)
    await editions.ensure('posts')
    await editions.holdBack('posts', 'Too much would vanish.')
    service.asked.length = 0
    await expect(editions.ensure('posts')).rejects.toThrow('Too much would vanish.')
    expect(service.asked).toEqual([])
    expect(editions.card('posts')).toMatchObject({ state: 'failed', file_name: null })
  })
})

describe('an operator who knows better', () => {
  test('makes the one aside current at once', async () => {
    const { editions, service } = await shrink()
    await editions.ensure('posts')
    expect(await editions.accept('posts')).toMatchObject({ edition: '2026-11-22', rows: 97 })
    expect(editions.isConfirmed('posts')).toBe(true)
    service.asked.length = 0
    expect((await editions.ensure('posts')).rows).toBe(97)
    expect(service.asked).toEqual([])
    expect(await editions.accept('posts')).toBeNull()
  })
})
