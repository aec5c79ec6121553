import { readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTestEditions, RATINGS } from './editions.test-support.ts'
import { createScriptedService, DAY, SUNDAY, toRating } from './scripted-service.test-support.ts'

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

  test('while it downloaded has no part of it when opened again', async () => {
    const { reopen, dir, second } = await leave()
    await writeFile(join(dir, 'posts.csv.part'), 'id,us')
    await writeFile(join(dir, 'notes.txt'), 'mine')
    const again = await reopen()
    expect(again.current('posts')).toEqual(second)
    const names = await readdir(dir)
    expect(names).not.toContain('posts.csv.part')
    expect(names).toContain('notes.txt')
  })

  test('between file and sidecar has the edition before, and fetches the new one again', async () => {
    const { service, reopen, dir, first, second, sidecar } = await leave()
    await rm(sidecar)
    const again = await reopen()
    expect(again.current('posts')).toEqual(first)
    expect(await readdir(dir)).not.toContain(second.fileName)
    service.requests.length = 0
    expect((await again.ensure('posts')).sha256).toBe(second.sha256)
    expect(service.requests).toEqual(['posts'])
  })

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

  test('does not fetch again what it has', async () => {
    const { service, reopen, second } = await leave()
    service.requests.length = 0
    const again = await reopen()
    expect(await again.ensure('posts')).toEqual(second)
    expect(service.requests).toEqual([])
  })
})

test('a sidecar that an older version wrote is read, and what it does not say is not known', async () => {
  const service = createScriptedService({ ratings: RATINGS })
  const { editions, dir, reopen } = await openTestEditions(service)
  const kept = await editions.ensure('posts')
  const path = join(dir, `posts-${SUNDAY}.json`)
  const { kind, edition, rows, bytes, sha256, fetched_at, columns, first_rows } = JSON.parse(
    await readFile(path, 'utf8'),
  )
  const old = { kind, edition, rows, bytes, sha256, fetched_at, columns, first_rows }
  await writeFile(path, JSON.stringify(old))
  expect((await reopen()).current('posts')).toEqual({ ...kept, newestCreatedAt: null, ids: null })
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
    expect(logged).toContain('an edition does not hold the bytes any more that came')
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
