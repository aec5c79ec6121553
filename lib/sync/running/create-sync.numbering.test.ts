import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openEditions } from '#lib/sync/editions/edition-store.ts'
import { createForgetfulDiscovery } from '#lib/sync/reading/discovery.ts'
import { createUpstream } from '#lib/upstream/client.ts'
import { createHttpTransport } from '#lib/upstream/http-transport.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import { draws } from '#testing/draws.ts'
import { status } from '#testing/hostile-service/faults.ts'
import { startHostileServer } from '#testing/hostile-service/hostile-server.ts'
import type { ServiceScript } from '#testing/hostile-service/service-script.ts'
import { makeRating, toCsv } from '#testing/make-ratings.ts'
import {
  DAY,
  HOUR,
  loadIds,
  makeFolder,
  openTestArchive,
  range,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'
import { createVirtualTime } from '#testing/sync/sync-in-virtual-time.ts'
import { createSync } from './create-sync.ts'

type Numbered = Pick<ServiceScript, 'firstPage' | 'pageZero' | 'pastEnd' | 'order'>
type Community = { posted: number; dumped: number | null; later: number }

/** One rating an hour, the last of the first `posted` at noon of Wednesday. */
const post = (id: number, posted: number) =>
  makeRating(id, { created_at: WEDNESDAY - (posted - id) * HOUR })

/** A sync with a service over HTTP, by a clock that the test moves. `dumped`: ratings in its dump; null: it has none. */
async function openWorld(
  numbered: Numbered,
  { posted, dumped }: Community,
  perMonth: number | null,
) {
  const time = createVirtualTime(WEDNESDAY)
  const { now, sleep } = time
  const service = await startHostileServer(
    { now },
    { ...numbered, pageSize: 10, ratings: range(1, posted).map((id) => post(id, posted)) },
  )
  service.dumps.posts = () => toCsv(service.ratings.slice(0, dumped ?? 0), {})
  if (dumped === null) service.misbehave(status(404), { on: ['posts'] })
  const transport = createHttpTransport()
  const ledger = await openLedger({ file: join(await makeFolder(), 'requests'), now })
  const upstream = createUpstream({
    kind: 'remote',
    baseUrl: new URL(service.url),
    key: 'a key of tests',
    keyIn: 'query',
    transport,
    ledger,
    limits: { perMinute: 60, perMonth },
    now,
    nowMs: () => time.at * 1000,
    sleep: async () => undefined,
    random: () => 0.5,
  })
  const editions = await openEditions({ dir: await makeFolder(), upstream, now })
  const { archive, close } = await openTestArchive(now)
  const discovery = createForgetfulDiscovery()
  const followSeconds = perMonth === null ? 4 * HOUR : undefined
  const sync = createSync({ archive, upstream, editions, now, sleep, discovery, followSeconds })
  const end = async () => {
    await sync.stop()
    await editions.close()
    await close()
    await ledger.close()
    await transport.close()
    await service.stop()
  }
  return { time, service, archive, sync, discovery, end }
}

type World = Awaited<ReturnType<typeof openWorld>>

/** The ratings that the archive lacks of those that it claims to hold. */
async function selectFalselyClaimed({ archive, service, time }: World) {
  const completeTo = archive.state().completeTo ?? 0
  const held = new Set(await loadIds(archive, time.at))
  return service.ratings.filter(({ id, created_at }) => created_at <= completeTo && !held.has(id))
}

test('a service that counts its pages from 0, with a dump that is behind and a hundred requests a month, is held in full', async () => {
  const world = await openWorld(
    { firstPage: 0, pageZero: 'error', pastEnd: 'empty', order: 'newest' },
    { posted: 35, dumped: 31, later: 0 },
    100,
  )
  onTestFinished(world.end)
  world.sync.start()
  await world.time.settled()
  expect(await loadIds(world.archive, world.time.at)).toEqual(range(1, 35))
  expect(world.archive.state().completeTo).toBe(WEDNESDAY)
  expect(world.discovery.read().first_page).toBe(0)
})

const aNumbered = fc.record({
  firstPage: fc.constantFrom(0 as const, 1 as const),
  pageZero: fc.constantFrom('error', 'not_found', 'fails', 'empty', 'first', 'last'),
  pastEnd: fc.constantFrom('empty', 'not_found', 'error', 'repeats'),
  order: fc.constantFrom('newest', 'oldest'),
})
const aCommunity = fc.record({
  posted: fc.constantFrom(0, 1, 3, 9, 10, 11, 35),
  dumped: fc.constantFrom(null, 0, 2, 5, 20, 35),
  later: fc.constantFrom(0, 1, 8, 12),
})

test('however a service numbers its pages and whatever its dump holds, nothing is claimed that was not read', async () => {
  await fc.assert(
    fc.asyncProperty(
      aNumbered,
      aCommunity,
      fc.constantFrom(null, 100),
      async (numbered, community, perMonth) => {
        const world = await openWorld(numbered, community, perMonth)
        try {
          const { sync, time, service, archive } = world
          sync.start()
          await time.settled()
          expect(await selectFalselyClaimed(world)).toEqual([])
          for (const id of range(1, community.later)) {
            service.ratings.push(makeRating(community.posted + id, { created_at: time.at }))
            await time.pass(HOUR)
          }
          await time.pass(DAY)
          await time.settled()
          expect(await selectFalselyClaimed(world)).toEqual([])
          // A list that is repeated for every number may have more that nobody is shown.
          if (numbered.pastEnd === 'repeats') return
          expect(archive.state().completeTo).toBeGreaterThan(WEDNESDAY + HOUR)
        } finally {
          await world.end()
        }
      },
    ),
    { numRuns: draws(40) },
  )
})
