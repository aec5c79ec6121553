import { join } from 'node:path'
import { setTimeout as setTimer } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { createService } from '#lib/service/service.ts'
import { createUpstream } from '#lib/upstream/create-upstream.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { createSync } from './create-sync.ts'
import { openEditions } from './editions.ts'
import {
  DAY,
  HOUR,
  makeFolder,
  openTestArchive,
  WEDNESDAY,
} from './scripted-service.test-support.ts'
import type { SyncArchive } from './sync.ts'
import { createVirtualTime } from './virtual-time.test-support.ts'

/** The real service behind its real client, by the clock of the test. */
async function openWorld(ratings: number, tailSeconds: number) {
  const time = createVirtualTime(WEDNESDAY)
  const { now } = time
  const service = await createService({
    dir: await makeFolder(),
    source: { kind: 'demo', ratings, seed: 7, tailSeconds },
    now,
    setTimer: () => () => undefined,
    sleep: setTimer,
  })
  onTestFinished(() => service.close())
  const key = await service.keys.ensure('tests', { perMinute: 1_000_000 })
  const ledger = await openLedger({ file: join(await makeFolder(), 'requests'), now })
  onTestFinished(() => ledger.close())
  const upstream = createUpstream({
    kind: 'embedded',
    baseUrl: new URL('http://service/service'),
    key,
    keyIn: 'query',
    transport: (request) => service.handle(request),
    ledger,
    limits: { perMinute: 60, perMonth: null },
    now,
    nowMs: () => performance.now(),
    sleep: async () => undefined,
    random: () => 0.5,
  })
  const editions = await openEditions({ dir: await makeFolder(), upstream, now })
  const { archive } = await openTestArchive(now)
  const { sleep } = time
  const sync = createSync({ archive, upstream, editions, now, sleep, followSeconds: 4 * HOUR })
  onTestFinished(() => sync.stop())
  return { time, upstream, editions, archive, sync }
}

/** Rows of the service that the archive does not hold just as they are. */
async function loadDifferences(upstream: Upstream, archive: SyncArchive): Promise<number[]> {
  const missing: number[] = []
  for (let page = 1; ; page += 1) {
    const { rows } = await upstream.fetchPage(page)
    if (rows.length === 0) return missing
    const ids = rows.flatMap((row) => (row.ok ? [row.rating.id] : []))
    expect(ids).toHaveLength(rows.length)
    const held = await archive.selectKnownIds(ids)
    missing.push(...ids.filter((id) => !held.has(id)))
  }
}

test('the archive of our own service holds what it serves, at first, after days, and after a Sunday', async () => {
  const { time, upstream, editions, archive, sync } = await openWorld(2000, 120)
  sync.start()
  await time.settled()
  expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
  expect(await loadDifferences(upstream, archive)).toEqual([])
  expect(archive.state().quarantined).toBe(0)
  const before = archive.state().ratings

  await time.pass(2 * DAY)
  await time.settled()
  sync.requestRun()
  await time.pass(10)
  await time.settled()
  expect(archive.state().ratings).toBeGreaterThan(before + 200)
  expect(await loadDifferences(upstream, archive)).toEqual([])

  await time.pass(nextEditionAt(WEDNESDAY) - time.at + 5 * HOUR)
  await time.settled()
  expect(editions.current('posts')?.edition).toBe('2026-11-22')
  expect(editions.current('lookups')?.edition).toBe('2026-11-22')
  const at = time.at
  const { total } = await archive.selectRatings(EVERY_RATING, { at })
  expect(total).toBeGreaterThanOrEqual(editions.current('posts')?.rows ?? 0)
  expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
})
