import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { createSyncStatus } from '#lib/sync/sync-status.ts'
import type { KeptText } from '#lib/upstream/replace-file.ts'
import { hold, selectMissing, toReading } from '#testing/sync/page-listing.ts'
import {
  createBareArchive,
  createScriptedService,
  DAY,
  range,
  toRating,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'
import { createPageObserver, dropUnjoined, type KeptDiscovery, openDiscovery } from './discovery.ts'
import { createFollowing } from './follow.ts'
import { createPageReader } from './page-reader.ts'

const community = (last: number) => range(1, last).map((id) => toRating(id))

function createKeptText(): KeptText {
  let text: string | null = null
  return {
    load: async () => text,
    async save(next) {
      text = next
    },
  }
}

async function open(held: readonly number[]) {
  const service = createScriptedService({ ratings: community(95) })
  const time = { at: WEDNESDAY }
  const now = () => time.at
  const archive = createBareArchive()
  await hold(archive, held)
  await archive.import({ kind: 'dump', name: 'x' }, async () => ({
    completeTo: toRating(Math.max(1, ...held)).created_at,
  }))
  const kept = createKeptText()
  const discovery = await openDiscovery(kept)
  const status = createSyncStatus(now)
  const begin = (known: KeptDiscovery) => {
    const observer = createPageObserver({ discovery: known, upstream: service, now })
    const newReading = (signal: AbortSignal) => {
      const pause = async () => undefined
      const reader = createPageReader({ archive, upstream: service, signal, pause, observer })
      return {
        reader,
        reading: { ...toReading(archive, service.fetchPage), ...reader.reading(), now, signal },
      }
    }
    const deps = { archive, status, newReading, discovery: known, upstream: service, now }
    const following = createFollowing(deps)
    return async (sparing = false) => {
      service.requests.length = 0
      return await following.follow(new AbortController().signal, sparing)
    }
  }
  const follow = begin(discovery)
  const restart = async () => begin(await openDiscovery(kept))
  return { service, time, archive, discovery, status, follow, restart }
}

describe('page 1 that names its version', () => {
  async function openNamed() {
    const setup = await open(range(1, 95))
    const { service } = setup
    const conditions: (string | null)[] = []
    const toTag = () => `"${service.ratings.length}"`
    const { fetchPage } = service
    service.fetchPage = async (page, options) => ({
      ...(await fetchPage(page, options)),
      validators: { etag: toTag(), lastModified: null },
    })
    service.fetchPageIfChanged = async (page, held, options) => {
      const read = await service.fetchPage(page, options)
      const isSame = held.etag === toTag()
      conditions.push(isSame ? held.etag : null)
      return isSame ? null : read
    }
    return { ...setup, conditions }
  }

  test('is not sent again while nothing changed: that is a check, and what is complete moves on', async () => {
    const { follow, time, archive, status, conditions } = await openNamed()
    await follow()
    time.at += 60
    expect(await follow()).toEqual({ requests: 1, reason: null, rows: null })
    expect(conditions).toEqual(['"95"'])
    expect(archive.state().completeTo).toBe(WEDNESDAY + 60)
    expect(status.read().checked_at).toBe(WEDNESDAY + 60)
  })

  test('brings what is new with the same request', async () => {
    const { follow, service, archive } = await openNamed()
    await follow()
    service.ratings.push(toRating(96))
    expect((await follow(true)).rows).toMatchObject({ inserted: 1 })
    expect(service.requests).toEqual(['1'])
    expect(await selectMissing(archive, [96])).toEqual([])
  })

  test('is asked for without condition now and then, since a service may say that nothing changed when something did', async () => {
    const { follow, service, archive } = await openNamed()
    service.fetchPageIfChanged = async () => null
    await follow()
    service.ratings.push(toRating(96))
    for (let count = 0; count < 20; count += 1) await follow()
    expect(await selectMissing(archive, [96])).toEqual([])
  })
})

describe('a list in no time order', () => {
  async function openUnordered() {
    const setup = await open(range(1, 50))
    setup.service.order = 'shuffled'
    return setup
  }

  test('is read in full once a day where requests are not counted by the month, and nothing is claimed', async () => {
    const { follow, service, archive, time } = await openUnordered()
    const before = archive.state().completeTo
    const first = await follow()
    expect(first.reason).toMatch(/in no time order. All pages are read once a day/)
    expect(first.rows).toMatchObject({ inserted: 45 })
    expect(await selectMissing(archive, range(1, 95))).toEqual([])
    expect(archive.state().completeTo).toBe(before)
    time.at += 60
    await follow()
    expect(service.requests.length).toBeLessThanOrEqual(1)
    service.ratings.push(toRating(96))
    time.at += DAY
    await follow()
    expect(await selectMissing(archive, [96])).toEqual([])
  })

  test('is never read in full where they are, and the reason says so', async () => {
    const { follow, service } = await openUnordered()
    service.limits.month.limit = 100
    const { reason } = await follow(true)
    expect(reason).toMatch(/New ratings arrive only with the weekly dump/)
    expect(service.requests.length).toBeLessThanOrEqual(2)
    await follow(true)
    expect(service.requests).toEqual([])
  })
})

test('what is complete is told by the clock that stamps the ratings, where that is behind ours', async () => {
  const { follow, service, archive, status } = await open(range(1, 95))
  service.limits.clockSkewSeconds = -3600
  await follow()
  expect(archive.state().completeTo).toBe(WEDNESDAY - 3600)
  expect(status.read().checked_at).toBe(WEDNESDAY)
})

describe('a follow that broke off is resumed where it broke off', () => {
  const down = () => new AppError('upstream_unavailable', 'The service reported an internal error.')

  /** More than two pages of new ratings, each dated before what the archive is complete to. */
  async function openWithLate(late: number) {
    const setup = await open(range(1, 95))
    const { service, archive } = setup
    await setup.follow()
    expect(archive.state().completeTo).toBe(WEDNESDAY)
    const posted = range(96, 95 + late).map((id) => toRating(id))
    service.ratings.push(...posted)
    const failAt = (wanted: string | null) => {
      service.before = (page) => {
        if (page === wanted) throw down()
      }
    }
    return { ...setup, failAt, late: posted.map(({ id }) => id) }
  }

  test.each([true, false])(
    'when the ratings are dated before the last follow, sparing or not (%s)',
    async (sparing) => {
      const { follow, failAt, time, archive, late } = await openWithLate(28)
      failAt('2')
      time.at += 60
      await expect(follow(sparing)).rejects.toThrow('internal error')
      expect(await selectMissing(archive, late)).toEqual(range(96, 113))
      failAt(null)
      time.at += 60
      await follow(sparing)
      expect(await selectMissing(archive, late)).toEqual([])
      expect(archive.state().completeTo).toBe(WEDNESDAY + 120)
    },
  )

  test('when a page in the middle is empty once', async () => {
    const { follow, service, time, archive, late } = await openWithLate(48)
    service.toPage = (page) => (page === 3 ? 99 : page)
    time.at += 60
    expect((await follow()).reason).toContain('Not every new rating')
    service.toPage = (page) => page
    time.at += 60
    await follow()
    expect(await selectMissing(archive, late)).toEqual([])
    expect(archive.state().completeTo).toBe(WEDNESDAY + 120)
  })

  test('when the process restarts in between, and costs one request again once it has joined', async () => {
    const { follow, failAt, restart, archive, late } = await openWithLate(28)
    failAt('2')
    await expect(follow()).rejects.toThrow('internal error')
    failAt(null)
    const again = await restart()
    await again()
    expect(await selectMissing(archive, late)).toEqual([])
    expect((await again()).requests).toBe(1)
  })

  test('until a dump lists the ratings that it stored', async () => {
    const { follow, failAt, discovery, archive, late } = await openWithLate(28)
    failAt('2')
    await expect(follow()).rejects.toThrow('internal error')
    await hold(archive, late)
    await dropUnjoined(discovery, 120)
    expect(discovery.notes().unjoined).toEqual([[121, 123]])
    await dropUnjoined(discovery, 123)
    expect(discovery.notes().unjoined).toEqual([])
    failAt(null)
    expect((await follow()).requests).toBe(1)
  })
})
