import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editionAt, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { makeFolder, NOON, openService, type TestService } from '#testing/service/open-service.ts'
import { createEditions } from './dump-files.ts'
import type { Posts } from './posts.ts'

const HOUR = 3600
const demo = (tailSeconds: number) =>
  ({ kind: 'demo', ratings: 300, seed: 1, tailSeconds }) as const

const listDumps = async (dir: string) =>
  (await readdir(join(dir, 'editions'))).filter((name) => name.endsWith('.csv')).toSorted()

async function runTimer(service: TestService): Promise<number> {
  const timer = service.clock.timers.shift()
  if (!timer) throw new Error('no timer is set')
  service.clock.at += timer.delayMs / 1000
  timer.run()
  await settle(service)
  return timer.delayMs
}

async function settle(service: TestService): Promise<void> {
  while (service.clock.timers.length === 0) await new Promise((resolve) => setImmediate(resolve))
}

test('an edition missed while the service was down is made at its start', async () => {
  const source = demo(0)
  const service = await openService({ source })
  service.start()
  await settle(service)
  expect(await listDumps(service.dir)).toEqual(['lookups-2026-11-15.csv', 'posts-2026-11-15.csv'])
  await service.close()

  const later = await openService({ source, dir: service.dir, at: NOON + 21 * 24 * HOUR })
  later.start()
  await settle(later)
  expect(await listDumps(later.dir)).toContain('posts-2026-12-06.csv')
})

test.each([
  ['summer time begins', '2026-03-08T12:00:00Z', '2026-03-08', '2026-03-15', 167],
  ['an ordinary week', '2026-06-10T12:00:00Z', '2026-06-07', '2026-06-14', 168],
  ['summer time ends', '2026-11-01T12:00:00Z', '2026-11-01', '2026-11-08', 169],
])('editions change at midnight in New York where %s', async (_, now, name, nextName, hours) => {
  const at = Date.parse(now) / 1000
  const service = await openService({ source: demo(0), at })
  const ask = async () =>
    (await service.get('/api/v1/posts/dumps', { method: 'HEAD' })).headers.get(
      'content-disposition',
    )
  expect(nextEditionAt(at) - editionAt(at)).toBe(hours * HOUR)
  service.clock.at = nextEditionAt(at) - 1
  expect(await ask()).toContain(`posts-${name}.csv`)
  service.clock.at += 1
  expect(await ask()).toContain(`posts-${nextName}.csv`)
})

test('the last two editions are kept, and no other file', async () => {
  const service = await openService({ source: demo(0) })
  for (let week = 0; week < 4; week += 1) {
    await service.get('/api/v1/posts/dumps', { method: 'HEAD' })
    service.clock.at += 7 * 24 * HOUR
  }
  expect((await readdir(join(service.dir, 'editions'))).toSorted()).toEqual([
    'posts-2026-11-29.csv',
    'posts-2026-11-29.csv.json',
    'posts-2026-12-06.csv',
    'posts-2026-12-06.csv.json',
  ])
})

test('a dump that was cut off on disk is made again, to the same content', async () => {
  const service = await openService({ source: demo(0) })
  const etag = (await service.get('/api/v1/posts/dumps')).headers.get('etag')
  await service.close()
  const path = join(service.dir, 'editions', 'posts-2026-11-15.csv')
  const whole = await readFile(path, 'utf8')
  await truncate(path, 100)
  const again = await openService({ source: demo(0), dir: service.dir })
  const response = await again.get('/api/v1/posts/dumps')
  expect(response.headers.get('etag')).toBe(etag)
  expect(await response.text()).toBe(whole)
})

function createSlowPosts() {
  const writes: { path: string; finish: () => Promise<void>; fail: (error: Error) => void }[] = []
  const posts: Posts = {
    page: async () => [],
    freeze: async (work) => await work(),
    catchUp: async () => {},
    close() {},
    writeDump: (_kind, at, path) =>
      new Promise((resolve, reject) => {
        const finish = async () => resolve(await writeFile(path, `id\n${at}\n`))
        writes.push({ path, finish, fail: reject })
      }),
  }
  const write = async () => {
    while (writes.length === 0) await new Promise((resolve) => setImmediate(resolve))
    return writes.shift()
  }
  return { posts, write, waiting: writes }
}

test('requests while an edition is being made wait for it, and it is made once', async () => {
  const dir = await makeFolder()
  const { posts, write, waiting } = createSlowPosts()
  const editions = createEditions({ dir, posts, log: () => {} })
  const asked = [1, 2, 3].map((second) => editions.ensure('posts', NOON + second))
  await (await write())?.finish()
  const made = await Promise.all(asked)
  expect(new Set(made.map(({ sha256 }) => sha256)).size).toBe(1)
  expect(waiting).toEqual([])
})

test('where an edition cannot be made the last one is served, and it is tried again', async () => {
  const dir = await makeFolder()
  const { posts, write } = createSlowPosts()
  const editions = createEditions({ dir, posts, log: () => {} })
  const none = editions.ensure('posts', NOON)
  const refused = expect(none).rejects.toMatchObject({ fault: 'not_ready', retryAfterSeconds: 60 })
  ;(await write())?.fail(new Error('disk full'))
  await refused
  await expect(editions.ensure('posts', NOON + 59)).rejects.toMatchObject({ fault: 'not_ready' })

  const first = editions.ensure('posts', NOON + 60)
  await (await write())?.finish()
  const nextWeek = NOON + 7 * 24 * HOUR
  const second = editions.ensure('posts', nextWeek)
  ;(await write())?.fail(new Error('disk full'))
  expect((await second).at).toBe((await first).at)

  const third = editions.ensure('posts', nextWeek + 60)
  await (await write())?.finish()
  expect((await third).at).toBe(editionAt(nextWeek))
})

test('while it runs, an edition is made at Sunday midnight in New York and not before', async () => {
  const sunday = nextEditionAt(NOON)
  const service = await openService({ source: demo(300), at: sunday - 90 })
  service.start()
  await settle(service)
  expect(await listDumps(service.dir)).toHaveLength(2)
  expect(await runTimer(service)).toBe(60_000)
  expect(await listDumps(service.dir)).toHaveLength(2)
  expect(await runTimer(service)).toBe(30_000)
  expect(service.clock.at).toBe(sunday)
  expect(await listDumps(service.dir)).toEqual([
    'lookups-2026-11-15.csv',
    'lookups-2026-11-22.csv',
    'posts-2026-11-15.csv',
    'posts-2026-11-22.csv',
  ])
  await service.stop()
  expect(service.clock.timers).toEqual([])
})
