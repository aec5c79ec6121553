import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestStore } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import type { Database } from './connection.ts'
import { fenced, releaseLease, renewLease, takeLease } from './lease.ts'

async function selectHolder(sql: Database): Promise<string | null> {
  const [lease] = await sql<{ holder: string | null }[]>`
    select holder from bellwether.lease where name = 'sync' and until >= clock_timestamp()`
  return lease?.holder ?? null
}

let store: TestStore
let sql: Database

beforeAll(async () => {
  store = await openTestStore()
  sql = store.connect()
})
afterAll(async () => {
  await store?.close()
})

const expire = async () => {
  await sql`update bellwether.lease set until = clock_timestamp() - interval '1 second'`
}

describe('the lease', () => {
  it('is held by one, of many that try at once', async () => {
    await expire()
    const taken = await Promise.all(['a', 'b', 'c', 'd'].map((name) => takeLease(sql, name)))
    expect(taken.filter((lease) => lease !== null)).toHaveLength(1)
    expect(await selectHolder(sql)).toBe(taken.find((lease) => lease !== null)?.holder)
  })

  it('is taken when it ran out, and cannot be renewed by who held it before', async () => {
    await expire()
    const first = await takeLease(sql, 'first')
    await expire()
    const second = await takeLease(sql, 'second')
    if (!first || !second) throw new Error('not taken')
    expect(second.epoch).toBe(first.epoch + 1)
    expect(await renewLease(sql, first)).toBe(false)
    expect(await renewLease(sql, second)).toBe(true)
  })

  it('that was lost in the middle of a transaction leaves nothing of it', async () => {
    await expire()
    const first = await takeLease(sql, 'first')
    if (!first) throw new Error('not taken')
    const write = fenced(sql, first, async (transaction) => {
      await transaction`insert into bellwether.wish values ('slept', 1)`
      await expire()
      await takeLease(sql, 'second')
    })
    await expect(write).rejects.toThrow('Another node is syncing.')
    expect(await sql`select 1 from bellwether.wish where name = 'slept'`).toHaveLength(0)
  })

  it('is its holder’s alone, where a failover that lost the last taking gave its number once more', async () => {
    await expire()
    const first = await takeLease(sql, 'first')
    if (!first) throw new Error('not taken')
    await sql`update bellwether.lease set epoch = epoch - 1, holder = 'earlier'`
    await expire()
    const second = await takeLease(sql, 'second')
    expect(second?.epoch).toBe(first.epoch)
    expect(await renewLease(sql, first)).toBe(false)
    await expect(fenced(sql, first, async () => 'written')).rejects.toThrow(
      'Another node is syncing',
    )
    await releaseLease(sql, first)
    expect(await selectHolder(sql)).toBe('second')
  })

  it('is not held up by a long transaction of its holder', async () => {
    await expire()
    const lease = await takeLease(sql, 'first')
    if (!lease) throw new Error('not taken')
    const renewed = await fenced(sql, lease, async () => await renewLease(sql, lease))
    expect(renewed).toBe(true)
  })
})
