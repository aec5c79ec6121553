import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import type { Database } from '#lib/store/connection.ts'
import { createDocuments } from '#lib/store/documents.ts'
import { type Lease, takeLease } from '#lib/store/lease.ts'
import { createCircuitBreaker } from '#lib/upstream/circuit-breaker.ts'
import type { TestStore } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import { createFollowedPause, openLeaderRecords } from './leader-records.ts'

let store: TestStore
let sql: Database
const clock = { at: 1_800_000_000 }
const now = () => clock.at

beforeAll(async () => {
  store = await openTestStore()
  sql = store.connect()
})
afterAll(async () => await store?.close())
beforeEach(async () => {
  await sql`truncate bellwether.document`
})

async function take(holder: string): Promise<Lease> {
  await sql`update bellwether.lease set until = '-infinity'`
  const lease = await takeLease(sql, holder)
  if (!lease) throw new Error('not taken')
  return lease
}

const begin = async (holder: string, problems: string[] = []) =>
  await openLeaderRecords({
    documents: createDocuments({ sql }),
    lease: await take(holder),
    now,
    log: (problem) => problems.push(problem),
  })

const openBreaker = (key = 'key') => {
  const breaker = createCircuitBreaker({
    baseUrl: new URL('https://ratings.example.com'),
    key,
    now,
    nowMs: () => clock.at * 1000,
  })
  onTestFinished(async () => await breaker.close())
  return breaker
}

const ROWS = { inserted: 3, updated: 0, vanished: 0, quarantined: 0 }
const IMPORTED = { sha256: 'ab', edition: '2027-01-10', generation: 7 }

describe('what the leader keeps', () => {
  it('is what the next leader begins with', async () => {
    const first = await begin('first')
    await first.discovery.note({ page_size: 50, checked_at: clock.at })
    await first.discovery.keep({ holes: [3, 4] })
    await first.imported.markImported(IMPORTED)
    const run = first.runLog.begin('follow')
    run.word(1)
    const ended = run.end({ outcome: 'done', requests: 2, rows: ROWS, reason: null })
    await first.runLog.close()
    const second = await begin('second')
    expect(second.discovery.read().page_size).toBe(50)
    expect(second.discovery.notes().holes).toEqual([3, 4])
    expect(second.imported.imported()).toEqual(IMPORTED)
    expect(second.runLog.list()).toEqual([ended])
  })

  it('is not changed by a leader that was deposed', async () => {
    const problems: string[] = []
    const first = await begin('first', problems)
    await first.imported.markImported(IMPORTED)
    const second = await begin('second')
    const other = { ...IMPORTED, generation: 8 }
    await expect(first.imported.markImported(other)).rejects.toThrow('Another node is syncing.')
    await expect(first.discovery.keep({ holes: [1] })).rejects.toThrow('Another node is syncing.')
    first.runLog.begin('follow')
    await first.runLog.close()
    expect(problems).toEqual(['the log of runs cannot be written'])
    await second.runLog.close()
    const third = await begin('third')
    expect(third.imported.imported()).toEqual(IMPORTED)
    expect(third.runLog.list()).toEqual([])
  })
})

describe('a pause that the service asked for', () => {
  it('holds for the next leader, and for whoever follows', async () => {
    const first = await begin('first')
    const breaker = openBreaker()
    await breaker.keepIn(first.pause)
    await breaker.pause(600)
    const next = openBreaker()
    await next.keepIn((await begin('second')).pause)
    expect(next.pausedUntil()).toBeGreaterThanOrEqual(clock.at + 600)
    await expect(next.admit()).rejects.toThrow('The service asked for a pause.')
    const follower = openBreaker()
    await follower.keepIn(createFollowedPause(createDocuments({ sql })))
    await expect(follower.admit()).rejects.toThrow('The service asked for a pause.')
  })

  it('is read anew at the beginning of a term: what is over is over, what was heard meanwhile holds', async () => {
    const breaker = openBreaker()
    await breaker.keepIn((await begin('first')).pause)
    await breaker.refuse()
    await expect(breaker.admit()).rejects.toThrow('The service does not accept the key.')
    const other = openBreaker('new key')
    await other.keepIn((await begin('second')).pause)
    await other.accept()
    await other.fail(new AppError('upstream_timeout', 'No answer.'), await other.admit())
    await breaker.pause(100)
    await breaker.keepIn((await begin('first')).pause)
    await expect(breaker.admit()).rejects.toThrow('The service asked for a pause.')
    clock.at += 102
    expect(await breaker.admit()).toMatchObject({ isProbe: false })
  })
})
