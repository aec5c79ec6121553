import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { AppError } from '#lib/contract/faults.ts'
import { toMonth } from '#lib/upstream/ledger.ts'
import { PURPOSES, type Purpose } from '#lib/upstream/upstream.ts'
import { draws } from '#testing/draws.ts'
import { openOwnStore, type TestStore } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import type { Database } from './connection.ts'
import { type Lease, takeLease } from './lease.ts'
import { createSharedLedger, type SharedLedgerOptions } from './request-ledger.ts'

let store: TestStore
let pools: Database[]
let sql: Database

const NODES = 4
const NONE = { perMinute: null, perMonth: null }
const now = () => Math.floor(Date.now() / 1000)
const nowMs = () => performance.now()

beforeAll(async () => {
  store = await openTestStore()
  pools = Array.from({ length: NODES }, () => store.connect(3))
  sql = store.connect()
})
afterAll(async () => await store?.close())
beforeEach(async () => {
  await sql`truncate bellwether.request, bellwether.request_month`
  await sql`update bellwether.lease set holder = null, until = '-infinity'`
})

const openNode = async (index = 0, options: Partial<SharedLedgerOptions> = {}) => {
  const database = pools[index] ?? sql
  const ledger = createSharedLedger({ sql: database, node: `n${index}`, now, nowMs, ...options })
  await ledger.refresh()
  return ledger
}

const openNodes = async () => await Promise.all(pools.map((_, index) => openNode(index)))

const databaseNow = async () => {
  const [row] = await sql<{ at: number }[]>`
    select extract(epoch from clock_timestamp())::float8 as at`
  return row?.at ?? Number.NaN
}

const counted = async (database = sql) => {
  const rows = await database<{ month: string; purpose: Purpose; requests: number }[]>`
    select month, purpose, requests from bellwether.request_month`
  return rows.reduce((sum, { requests }) => sum + requests, 0)
}

const faultOf = async (work: Promise<void>) =>
  await work.then(
    () => 'granted',
    (error: AppError) => error.fault,
  )

describe('the ledger of all nodes', () => {
  it('never passes a limit, however many nodes charge at once', async () => {
    const purpose = fc.constantFrom(...PURPOSES)
    const charges = fc.array(fc.record({ node: fc.nat(NODES - 1), purpose }), { maxLength: 30 })
    const limits = fc.record({
      perMinute: fc.option(fc.integer({ min: 1, max: 12 })),
      perMonth: fc.option(fc.integer({ min: 1, max: 40 })),
    })
    await fc.assert(
      fc.asyncProperty(charges, limits, async (asked, { perMinute, perMonth }) => {
        await sql`truncate bellwether.request, bellwether.request_month`
        const nodes = await openNodes()
        const outcomes = await Promise.all(
          asked.map(async ({ node, purpose: wanted }) => ({
            purpose: wanted,
            outcome: await faultOf(
              nodes[node]?.charge({ perMinute, perMonth }, wanted) as Promise<void>,
            ),
          })),
        )
        const granted = outcomes.filter(({ outcome }) => outcome === 'granted')
        expect(outcomes.every(({ outcome }) => ['granted', 'budget_spent'].includes(outcome))).toBe(
          true,
        )
        expect(granted.length).toBeLessThanOrEqual(
          Math.min(perMinute ?? Infinity, perMonth ?? Infinity),
        )
        expect(await counted()).toBe(granted.length)
        await nodes[0]?.refresh()
        const { minute, spent } = nodes[0]?.budget(NONE) ?? {}
        expect(minute?.used).toBe(granted.length)
        for (const one of PURPOSES) {
          expect(spent?.[one]).toBe(granted.filter((charge) => charge.purpose === one).length)
        }
      }),
      { numRuns: draws(25) },
    )
  })

  it('grants all that a limit has, and says when the next request may go', async () => {
    const nodes = await openNodes()
    const limits = { perMinute: 10, perMonth: null }
    const asked = Array.from({ length: 20 }, (_, n) => nodes[n % NODES]?.charge(limits, 'dump'))
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    const refused = outcomes.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as AppError] : [],
    )
    for (const { retryAfterSeconds } of refused) {
      expect(retryAfterSeconds).toBeGreaterThan(55)
      expect(retryAfterSeconds).toBeLessThanOrEqual(61)
    }
  })

  it('frees a minute 61 seconds later, by the database, and keeps the month', async () => {
    const [first, second] = await openNodes()
    const limits = { perMinute: 1, perMonth: 100 }
    await first?.charge(limits, 'dump')
    await expect(second?.charge(limits, 'dump')).rejects.toMatchObject({ fault: 'budget_spent' })
    await sql`update bellwether.request set at = at - interval '62 seconds'`
    await second?.charge(limits, 'dump')
    expect(second?.budget(limits)).toMatchObject({ minute: { used: 1 }, month: { used: 2 } })
  })

  it('counts a request of the future as of this moment, once the clock was set back', async () => {
    const node = await openNode()
    const limits = { perMinute: 1, perMonth: null }
    await node.charge(limits, 'dump')
    await sql`update bellwether.request set at = at + interval '1 hour'`
    const refused = await node.charge(limits, 'dump').catch((error: AppError) => error)
    expect(refused).toMatchObject({ fault: 'budget_spent' })
    expect((refused as AppError).retryAfterSeconds).toBeLessThanOrEqual(61)
  })

  it('counts the same on a node whose clock is an hour wrong', async () => {
    const at = await databaseNow()
    for (const wrong of [-3600, 0, 3600]) {
      const node = await openNode(0, { now: () => now() + wrong })
      const ours = now() + wrong
      const clocks = { earliest: Math.min(ours, now()), latest: Math.max(ours, now()) }
      await node.charge({ perMinute: 3, perMonth: 1000 }, 'dump', clocks)
    }
    const months = await sql`select month, requests from bellwether.request_month`
    expect([...months]).toEqual([{ month: toMonth(at), requests: 3 }])
    const node = await openNode(1, { now: () => now() - 3600 })
    await expect(node.charge({ perMinute: 3, perMonth: 1000 }, 'dump')).rejects.toThrow('minute')
  })

  it('counts into the later month and asks the earlier one, where the service is ahead', async () => {
    const ahead = (await databaseNow()) + 31 * 86_400
    const node = await openNode()
    const clocks = () => ({ earliest: now(), latest: ahead })
    await node.charge(NONE, 'dump', clocks())
    const [row] = await sql`select month from bellwether.request_month`
    expect(row?.month).toBe(toMonth(ahead))
    expect(node.budget(NONE).month.used).toBe(1)
    await expect(node.charge({ perMinute: null, perMonth: 1 }, 'dump', clocks())).rejects.toThrow(
      'This month’s requests are used up.',
    )
  })

  it('forgets single requests after a day, and the month never', async () => {
    const node = await openNode()
    await sql`insert into bellwether.request select clock_timestamp() - interval '2 days', 'follow', 'old'
      from generate_series(1, 5)`
    await sql`insert into bellwether.request_month values (${toMonth(now())}, 'follow', 100)`
    await node.charge(NONE, 'follow')
    expect(await sql`select 1 from bellwether.request where node = 'old'`).toHaveLength(0)
    expect(await counted()).toBe(101)
  })

  it('charges dumps and follows to the leader alone, and what people ask to any node', async () => {
    let lease: Lease | null = null
    const node = await openNode(0, { lease: () => lease })
    await expect(node.charge(NONE, 'follow')).rejects.toThrow('Another node is syncing.')
    await node.charge(NONE, 'people')
    lease = await takeLease(sql, 'n0')
    await node.charge(NONE, 'follow')
    await sql`update bellwether.lease set until = '-infinity'`
    await takeLease(sql, 'n1')
    const late = node.charge(NONE, 'dump')
    await expect(late).rejects.toMatchObject({
      fault: 'not_ready',
      message: 'Another node is syncing.',
    })
    expect(await counted()).toBe(2)
  })
})

describe('without the database', () => {
  it('nothing is granted that was not counted, and all goes on when it is back', async () => {
    const own = await openOwnStore()
    onTestFinished(own.close)
    const nodes = await Promise.all(
      pools.map((_, index) => openNode(index, { sql: own.connect(3) })),
    )
    const tally = { granted: 0, refused: 0 }
    let isOver = false
    const spend = async (index: number) => {
      while (!isOver) {
        const outcome = await faultOf(nodes[index]?.charge(NONE, 'follow') as Promise<void>)
        expect(['granted', 'internal']).toContain(outcome)
        tally[outcome === 'granted' ? 'granted' : 'refused'] += 1
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const spending = nodes.flatMap((_, index) => [spend(index), spend(index)])
    await expect.poll(() => tally.granted).toBeGreaterThan(50)
    await own.server.kill()
    await expect.poll(() => tally.refused).toBeGreaterThan(10)
    const before = tally.granted
    await expect(nodes[0]?.charge(NONE, 'people')).rejects.toThrow(
      'The ledger of requests cannot be written.',
    )
    await own.server.start()
    await expect.poll(() => tally.granted).toBeGreaterThan(before)
    isOver = true
    await Promise.all(spending)
    const all = await counted(own.connect())
    expect(tally.granted).toBeLessThanOrEqual(all)
    expect(all - tally.granted).toBeLessThanOrEqual(2 * NODES)
  })
})
