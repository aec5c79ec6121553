import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { draws } from '#testing/draws.ts'
import { status } from '#testing/hostile-service/faults.ts'
import type { ServiceScript } from '#testing/hostile-service/service-script.ts'
import { makeRating, toCsv } from '#testing/make-ratings.ts'
import { DAY, HOUR, range, WEDNESDAY } from '#testing/sync/scripted-service.ts'
import { kindsOf } from '#testing/sync/sync-in-virtual-time.ts'
import { openSyncOverHttp } from '#testing/sync/sync-over-http.ts'

type Numbered = Pick<ServiceScript, 'firstPage' | 'pageZero' | 'pastEnd' | 'order'>
type Community = { posted: number; dumped: number | null }

async function open(numbered: Numbered, { posted, dumped }: Community, perMonth: number | null) {
  const ratings = range(1, posted).map((id) =>
    makeRating(id, { created_at: WEDNESDAY - (posted - id) * HOUR }),
  )
  const world = await openSyncOverHttp({ ...numbered, pageSize: 10, ratings }, { perMonth })
  world.service.dumps.posts = () => toCsv(ratings.slice(0, dumped ?? 0))
  if (dumped === null) world.service.misbehave(status(404), { on: ['posts'] })
  return world
}

async function selectFalselyClaimed({ archive, service, ids }: Awaited<ReturnType<typeof open>>) {
  const completeTo = archive.state().completeTo ?? 0
  const held = new Set(await ids())
  return service.ratings.filter(({ id, created_at }) => created_at <= completeTo && !held.has(id))
}

test('a service that counts its pages from 0, with a dump that is behind and a hundred requests a month, is held in full', async () => {
  const { start, end, ids, archive, discovery } = await open(
    { firstPage: 0, pageZero: 'error', pastEnd: 'empty', order: 'newest' },
    { posted: 35, dumped: 31 },
    100,
  )
  onTestFinished(end)
  await start()
  expect(await ids()).toEqual(range(1, 35))
  expect(archive.state().completeTo).toBe(WEDNESDAY)
  expect(discovery.read().first_page).toBe(0)
})

test.each(['unauthorized', 'forbidden', 'not_found', 'error'] as const)(
  'a page 0 that is refused (%s) says nothing about the key: pages are counted from 1',
  async (pageZero) => {
    const { start, end, ids, discovery, sync, archive } = await open(
      { firstPage: 1, pageZero, pastEnd: 'empty', order: 'newest' },
      { posted: 35, dumped: 31 },
      100,
    )
    onTestFinished(end)
    await start()
    expect(await ids()).toEqual(range(1, 35))
    expect(archive.state().completeTo).toBe(WEDNESDAY)
    expect(discovery.read().first_page).toBe(1)
    expect(kindsOf(sync)).toEqual([])
  },
)

test.each([401, 403])(
  'a key that is refused later (%i) is told where pages are counted from 0, and used again when it is accepted',
  async (code) => {
    const { start, end, ids, service, sync, time, discovery } = await open(
      { firstPage: 0, pageZero: 'error', pastEnd: 'empty', order: 'newest' },
      { posted: 35, dumped: 31 },
      null,
    )
    onTestFinished(end)
    await start()
    service.misbehave(status(code))
    await time.pass(5 * HOUR)
    expect(kindsOf(sync)).toContain('refused')
    service.behave()
    service.ratings.push(makeRating(36, { created_at: time.at }))
    await time.pass(6 * HOUR)
    expect(kindsOf(sync)).not.toContain('refused')
    expect(await ids()).toEqual(range(1, 36))
    expect(discovery.read().first_page).toBe(0)
  },
)

const aNumbered = fc.record({
  firstPage: fc.constantFrom(0 as const, 1 as const),
  pageZero: fc.constantFrom(
    'error',
    'unauthorized',
    'forbidden',
    'not_found',
    'fails',
    'empty',
    'first',
    'last',
  ),
  pastEnd: fc.constantFrom('empty', 'not_found', 'error', 'repeats'),
  order: fc.constantFrom('newest', 'oldest'),
})
const aCommunity = fc.record({
  posted: fc.constantFrom(0, 1, 3, 9, 10, 11, 35),
  dumped: fc.constantFrom(null, 0, 2, 5, 20, 35),
  later: fc.constantFrom(0, 1, 8, 12),
})
const aLimit = fc.constantFrom(null, 100)

test('however a service numbers its pages and whatever its dump holds, nothing is claimed that was not read', async () => {
  await fc.assert(
    fc.asyncProperty(aNumbered, aCommunity, aLimit, async (numbered, community, perMonth) => {
      const world = await open(numbered, community, perMonth)
      const { time, service, archive, start, end } = world
      try {
        await start()
        expect(await selectFalselyClaimed(world)).toEqual([])
        for (const id of range(1, community.later)) {
          service.ratings.push(makeRating(community.posted + id, { created_at: time.at }))
          await time.pass(HOUR)
        }
        await time.pass(DAY)
        await time.settled()
        expect(await selectFalselyClaimed(world)).toEqual([])
        if (numbered.pastEnd === 'repeats') return
        expect(archive.state().completeTo).toBeGreaterThan(WEDNESDAY + HOUR)
      } finally {
        await end()
      }
    }),
    { numRuns: draws(40) },
  )
})
