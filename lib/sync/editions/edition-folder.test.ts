import { createHash } from 'node:crypto'
import { readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Disk, nodeDisk } from '#lib/sync/disk.ts'
import type { EditionStore, KeptEdition } from '#lib/sync/sync.ts'
import {
  createDumpService,
  createFailingDisk,
  openTestEditions,
  RATINGS,
} from '#testing/sync/edition-store.ts'
import { createScriptedService, DAY, SUNDAY, toRating } from '#testing/sync/scripted-service.ts'

describe('a folder that a killed run left', () => {
  async function leave() {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions, reopen, dir, clock } = await openTestEditions(service)
    const first = await editions.ensure('posts')
    clock.at += 7 * DAY
    service.ratings = [...RATINGS, toRating(101)]
    const second = await editions.ensure('posts')
    const sidecar = join(dir, second.fileName.replace('csv', 'json'))
    await editions.settled()
    return { service, reopen, dir, first, second: editions.current('posts') ?? second, sidecar }
  }

  test.each([
    ['a file that is shorter than its sidecar says', async (path: string) => truncate(path, 50)],
    ['a sidecar without its file', async (path: string) => rm(path)],
    [
      'a sidecar that is not readable',
      async (path: string) => writeFile(path.replace('csv', 'json'), '{"kind":"posts"'),
    ],
    [
      'a sidecar of another name',
      async (path: string) => rename(path, path.replace('2026-11-22', '2026-11-29')),
    ],
  ])('with %s has the edition before', async (_, damage) => {
    const { reopen, first, second } = await leave()
    await damage(second.path)
    expect((await reopen()).current('posts')).toEqual(first)
  })
})

describe('a current edition that rotted on disk', () => {
  test('is found after a start, dropped with a line in the log, and had again', async () => {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions, clock, reopen, logged } = await openTestEditions(service)
    await editions.ensure('posts')
    clock.at += 7 * DAY
    service.ratings = [...RATINGS, toRating(101)]
    const { path } = await editions.ensure('posts')
    await editions.close()
    const bytes = await readFile(path)
    bytes[bytes.length - 5] = 0x39
    await writeFile(path, bytes)
    const again = await reopen()
    expect(again.current('posts')?.edition).toBe('2026-11-22')
    await again.settled()
    expect(again.current('posts')?.edition).toBe(SUNDAY)
    expect(logged).toContain('an edition no longer matches its checksum')
    expect((await again.ensure('posts')).rows).toBe(101)
  })

  test('is not taken over by the one that shares its bytes', async () => {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions, clock, reopen } = await openTestEditions(service)
    await editions.ensure('posts')
    clock.at += 7 * DAY
    const { path } = await editions.ensure('posts')
    await editions.close()
    await writeFile(path, (await readFile(path, 'utf8')).replace('AAPL', 'AAPX'))
    const again = await reopen()
    await again.settled()
    expect(again.current('posts')).toBeNull()
  })
})

const WEEK = 7 * DAY

const failure = (code: string) => Object.assign(new Error(code), { code })

async function openWeeks(fail: (step: number, name: string) => void) {
  const service = createDumpService({ etag: '"one"' })
  const failing = createFailingDisk((step, name) => isOn && fail(step - quiet, name))
  let isOn = false
  let quiet = 0
  const opened = await openTestEditions(service, { disk: failing.disk })
  const first = await opened.editions.ensure('posts')
  opened.clock.at += WEEK
  service.validators = { etag: '"two"', lastModified: null }
  service.ratings = [...RATINGS, toRating(101)]
  const begin = () => {
    quiet = failing.steps()
    isOn = true
  }
  const steps = () => failing.steps() - quiet
  return { service, first, begin, steps, ...opened }
}

const isWhole = async ({ path, sha256 }: KeptEdition) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex') === sha256

type World = Awaited<ReturnType<typeof openWeeks>>

describe('killed at any step', () => {
  const journeys: [string, (world: World) => Promise<unknown>][] = [
    ['of keeping an edition', async ({ editions }) => await editions.ensure('posts')],
    [
      'of setting one aside that came',
      async ({ editions, service }) => {
        service.ratings = RATINGS.slice(0, 60)
        await editions.ensure('posts')
      },
    ],
    [
      'of setting one aside that is current',
      async ({ editions }) => {
        await editions.ensure('posts')
        await editions.holdBack('posts', 'Too much would vanish.')
      },
    ],
    [
      'of accepting one that is aside',
      async ({ editions, service }) => {
        service.ratings = RATINGS.slice(0, 60)
        await editions.ensure('posts')
        await editions.accept('posts')
      },
    ],
    [
      'of confirming one that is aside',
      async ({ editions, service, clock }) => {
        service.ratings = RATINGS.slice(0, 60)
        await editions.ensure('posts')
        clock.at += WEEK
        await editions.ensure('posts')
      },
    ],
    [
      'of taking over the same bytes',
      async ({ editions, service }) => {
        service.validators = { etag: '"one"', lastModified: null }
        await editions.ensure('posts')
      },
    ],
  ]

  test.each(journeys)('%s, what is served is whole, and the rest is made up for', async (_, go) => {
    const world = await openWeeks(() => undefined)
    world.begin()
    await go(world)
    const steps = world.steps()
    expect(steps).toBeGreaterThan(5)
    for (let step = 1; step <= steps; step += 1) await expectRecovery(go, step)
  })

  async function expectRecovery(go: (world: World) => Promise<unknown>, step: number) {
    const world = await openWeeks((at) => {
      if (at >= step) throw failure('KILLED')
    })
    world.begin()
    await go(world).catch(() => undefined)
    await world.editions.close()
    const again = await world.reopen()
    await expectSound(again)
    world.clock.at += WEEK
    const next = await again.ensure('posts')
    expect(await isWhole(next), `step ${step}`).toBe(true)
    await again.settled()
    expect((await world.names()).filter((name) => name.includes('part'))).toEqual([])
  }

  async function expectSound(store: EditionStore) {
    const current = store.current('posts')
    expect(current).not.toBeNull()
    for (const { file_name, sha256 } of store.list('posts')) {
      const file = await store.file(file_name)
      expect(file?.sha256).toBe(sha256)
      const bytes = await readFile(file?.path ?? '')
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
    }
  }
})

describe('a disk that is full', () => {
  const CODES = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']

  test('or broken, at any write, leaves the folder as it was, and is used again when it is not', async () => {
    let failed = 0
    const smooth = await openWeeks(() => undefined)
    smooth.begin()
    await smooth.editions.ensure('posts')
    const steps = smooth.steps()
    for (let step = 1; step <= steps; step += 1) {
      const world = await openWeeks((at, name) => {
        if (at === step && name !== 'remove') throw failure(CODES[step % 4] ?? '')
      })
      await world.editions.settled()
      const before = await world.names()
      world.begin()
      const edition = await world.editions.ensure('posts')
      if (edition.rows === 100) {
        failed += 1
        expect(await world.names(), `step ${step}`).toEqual(before)
        expect(world.editions.failure('posts')).toMatchObject({ fault: 'not_ready' })
      }
      world.clock.at += 60
      const next = await world.editions.ensure('posts')
      expect([next.rows, await isWhole(next)]).toEqual([101, true])
      await world.editions.close()
    }
    expect(failed).toBeGreaterThan(6)
  })

  test('is told before a request is spent, where it has no room for what the dump is to be', async () => {
    const free = { bytes: Number.POSITIVE_INFINITY }
    const disk: Disk = { ...nodeDisk, freeBytes: async () => free.bytes }
    const service = createDumpService()
    const { editions, clock } = await openTestEditions(service, { disk })
    const { bytes } = await editions.ensure('posts')
    clock.at += WEEK
    service.ratings = [...RATINGS, toRating(101)]
    service.asked.length = 0
    free.bytes = bytes * 3 - 1
    await editions.ensure('posts')
    expect(service.asked).toEqual([])
    expect(editions.failure('posts')).toMatchObject({
      fault: 'not_ready',
      message: expect.stringMatching(/MB left; the posts dump needs .* Free some space/),
    })
    free.bytes = bytes * 4
    clock.at += 60
    expect((await editions.ensure('posts')).rows).toBe(101)
  })

  test('is told by the length of the first dump, and nothing of it is written', async () => {
    const disk: Disk = { ...nodeDisk, freeBytes: async () => 1000 }
    const { editions, names } = await openTestEditions(createDumpService(), { disk })
    await expect(editions.ensure('posts')).rejects.toMatchObject({ fault: 'not_ready' })
    expect(await names()).toEqual([])
  })
})
