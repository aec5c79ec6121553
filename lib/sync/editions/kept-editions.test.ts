import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { createDumpService, openTestEditions, RATINGS } from '#testing/sync/edition-store.ts'
import { DAY, range, toRating } from '#testing/sync/scripted-service.ts'

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
