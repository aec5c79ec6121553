import { expect, test } from 'vitest'
import type { Dump } from '#lib/contract/answers/status.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { nodeDisk } from '#lib/sync/disk.ts'
import { RATINGS } from '#testing/sync/edition-store.ts'
import {
  createScriptedService,
  DAY,
  makeFolder,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'
import { openEditions } from './edition-store.ts'

async function openNode(isFollowing = true) {
  const service = createScriptedService({ ratings: RATINGS })
  const role = { isFollowing }
  const clock = { at: WEDNESDAY }
  const wanted: DumpKind[] = []
  const card: { published: Dump | null } = { published: null }
  const dir = await makeFolder()
  const editions = await openEditions({
    dir,
    upstream: service,
    now: () => clock.at,
    following: {
      isFollowing: () => role.isFollowing,
      onWanted: (kind) => void wanted.push(kind),
      published: () => card.published,
    },
  })
  const close = async () => await editions.close()
  return { service, role, clock, wanted, card, dir, editions, close }
}

test('a node that does not sync never asks the service: it says that it wants a dump, or gives what is here', async () => {
  const { service, role, clock, wanted, editions, close } = await openNode()
  await expect(editions.ensure('posts', { pressing: true, again: true })).rejects.toMatchObject({
    fault: 'not_ready',
    message: 'The dump has not been fetched yet.',
    retryAfterSeconds: 10,
  })
  expect([service.requests, wanted]).toEqual([[], ['posts']])
  role.isFollowing = false
  const fetched = await editions.ensure('posts')
  role.isFollowing = true
  clock.at += 7 * DAY
  service.requests.length = 0
  expect((await editions.ensure('posts', { again: true })).sha256).toBe(fetched.sha256)
  expect([service.requests, wanted]).toEqual([[], ['posts']])
  await close()
})

test('a card says of fetches what the node says that syncs, and of files only what is here', async () => {
  const leader = await openNode(false)
  const follower = await openNode()
  await leader.editions.ensure('posts')
  await leader.editions.settled()
  const ready = leader.editions.card('posts')
  follower.card.published = ready
  expect(ready.state).toBe('ready')
  expect(follower.editions.card('posts')).toMatchObject({ state: 'absent', edition: null })
  const progress = {
    step: 'fetching' as const,
    done: 5,
    total: 10,
    unit: 'bytes' as const,
    since: 1,
    per_second: 2,
    remaining_seconds: 3,
  }
  follower.card.published = { ...ready, state: 'fetching', progress }
  expect(follower.editions.card('posts')).toMatchObject({ state: 'fetching', progress })
  follower.card.published = { ...ready, state: 'failed', reason: 'The service is down.' }
  expect(follower.editions.card('posts')).toMatchObject({
    state: 'failed',
    reason: 'The service is down.',
  })
  follower.card.published = ready
  const [found] = await leader.editions.folder.load()
  const [listed] = await follower.editions.listing().then(() => leader.editions.listing())
  if (!found || !listed) throw new Error('nothing was fetched')
  const arrived = `${follower.dir}/arrived`
  await nodeDisk.copy(found.kept.path, arrived)
  const path = found.kept.path.replace(leader.dir, follower.dir)
  await follower.editions.folder.place({ ...found, kept: { ...found.kept, path } }, arrived)
  expect(follower.editions.card('posts').state).toBe('absent')
  await follower.editions.reload()
  expect(follower.editions.card('posts')).toEqual(ready)
  expect(await follower.editions.listing()).toEqual([{ ...listed, path }])
  await Promise.all([leader.close(), follower.close()])
})

test('a fetch of a node that does not sync any more ends, leaves no edition, and is no failure', async () => {
  const { service, role, editions, close } = await openNode(false)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const asked: string[] = []
  service.before = (what) => {
    asked.push(what)
    return held
  }
  const fetched = editions.ensure('posts')
  const isBroken = expect(fetched).rejects.toThrow()
  await expect.poll(() => asked).toEqual(['posts'])
  role.isFollowing = true
  const ended = editions.endFetches()
  release()
  await ended
  await isBroken
  expect(await editions.folder.load()).toEqual([])
  expect([editions.fetching('posts'), editions.failure('posts')]).toEqual([null, null])
  role.isFollowing = false
  expect((await editions.ensure('posts')).rows).toBe(RATINGS.length)
  await close()
})
