import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { selectKnownIds } from '#lib/archive/ratings/ratings.ts'
import type { Database } from '#lib/store/connection.ts'
import { writeCommit } from '#lib/store/generations.ts'
import { importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { draws } from '#testing/draws.ts'
import { anImport, runImport } from '#testing/nodes/imports.ts'
import {
  changeByHand,
  emptyStore,
  importAlone,
  type Node,
  type NodeOptions,
  openNode,
} from '#testing/nodes/shared-archives.ts'
import { openOwnStore, seizeLease, type TestStore } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'

let shared: TestStore
let sql: Database
const opened: Node[] = []

beforeAll(async () => {
  shared = await openTestStore()
  sql = shared.connect()
})
beforeEach(async () => {
  await emptyStore(sql)
  return async () => {
    for (const node of opened.splice(0)) await node.remove()
  }
})
afterAll(async () => {
  await shared?.close()
})

async function open(store: Database | null = sql, options: NodeOptions = {}): Promise<Node> {
  const node = await openNode(store, options)
  opened.push(node)
  return node
}

async function openLeader(options: NodeOptions = {}): Promise<Node> {
  const node = await open(sql, options)
  node.lease = await seizeLease(sql, 'leader')
  return node
}

const someImports = fc.array(
  fc.record({ run: anImport, followed: fc.boolean(), later: fc.nat(1000) }),
  { minLength: 1, maxLength: 6 },
)

const factsOf = ({ archive }: { archive: Pick<Archive, 'state'> }) => {
  const { version: _own, ...facts } = archive.state()
  return facts
}

describe('a replica', () => {
  it('holds every field, derived or not, that the leader holds, whenever it follows', async () => {
    const thresholds = fc.constantFrom(0, 20, 1000)
    await fc.assert(
      fc.asyncProperty(someImports, thresholds, thresholds, async (steps, above, others) => {
        await emptyStore(sql)
        const leader = await openLeader({ rebuildAbove: above })
        const alone = await open(null, { rebuildAbove: above })
        const often = await open(sql, { rebuildAbove: others })
        const late = await open()
        for (const { run, followed, later } of steps) {
          leader.clock.now += later
          alone.clock.now = leader.clock.now
          const outcome = await runImport(leader.archive, run)
          expect(await runImport(alone.archive, run)).toEqual(outcome)
          if (followed) await often.replica.catchUp()
          if (followed) expect(often.archive.state().generation).toBe(outcome.generation)
        }
        await often.replica.catchUp()
        await late.replica.catchUp()
        expect(await often.replica.catchUp()).toBe(false)
        for (const node of [often, late]) {
          node.clock.now = leader.clock.now
          expect(await node.replica.verify()).toEqual([])
          expect(factsOf(node)).toEqual(factsOf(leader))
          expect(node.archive.applied()).toEqual(leader.archive.applied())
        }
        expect(factsOf(alone)).toEqual(factsOf(leader))
        const held = await leader.closeAndRead()
        expect(await often.closeAndRead()).toEqual(held)
        expect(await late.closeAndRead()).toEqual(held)
        const { quarantine, ...rest } = await alone.closeAndRead()
        expect(rest).toEqual({ rating: held.rating, symbol: held.symbol, journal: held.journal })
        expect(new Set(quarantine.map((row) => JSON.stringify(row)))).toEqual(
          new Set(held.quarantine.map((row) => JSON.stringify(row))),
        )
        for (const node of opened.splice(0)) await node.remove()
      }),
      { numRuns: draws(24) },
    )
  })
})

describe('a replica beside an earlier version', () => {
  it('has its own keys of symbols, and no difference to the store, when the store has others', async () => {
    const [leader, follower] = [await openLeader(), await open()]
    const symbols = ['Straße', 'strasse', 'Chambéry', 'chambe\u0301ry', 'AAPL']
    await importRows(
      leader.archive,
      symbols.map((symbol, index) => makeRating({ id: index + 1, symbol })),
    )
    await sql`update bellwether.rating set symbol_key = 'of an earlier version'`
    await follower.replica.catchUp()
    for (const node of [leader, follower]) expect(await node.replica.verify()).toEqual([])
    expect(await follower.closeAndRead()).toEqual(await leader.closeAndRead())
  })
})

describe('a replica after something failed', () => {
  const bring = async (node: Node, from: number, count = 3) =>
    await importRows(
      node.archive,
      Array.from({ length: count }, (_, index) => makeRating({ id: from + index })),
    )

  const countStored = async (): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`select count(*) as count from bellwether.rating`
    return row?.count ?? 0
  }

  const isWaiting = async (store: Database): Promise<boolean> => {
    const waiting = await store`select 1 from pg_stat_activity 
      where wait_event_type = 'Lock' and datname = current_database()`
    return waiting.length > 0
  }

  const expectEqual = async (...nodes: Node[]) => {
    const [first, ...others] = await Promise.all(
      nodes.map(async (node) => await node.closeAndRead()),
    )
    for (const other of others) expect(other).toEqual(first)
  }

  it('of a leader that lost the lease in between holds nothing of its commit, nor does the leader', async () => {
    const leader = await openLeader()
    await bring(leader, 1)
    await seizeLease(sql, 'another')
    await expect(bring(leader, 100)).rejects.toThrow('Another node is syncing.')
    expect(leader.archive.state()).toMatchObject({ ratings: 3, generation: 1 })
    expect(await countStored()).toBe(3)
    leader.lease = await seizeLease(sql, 'leader')
    expect(await bring(leader, 100)).toMatchObject({ inserted: 3, generation: 2 })
  })

  it('whose leader does not know whether it committed has every rating once', async () => {
    let isCut = true
    const leader = await openLeader({
      share: async (commit) => {
        const lease = leader.lease as NonNullable<Node['lease']>
        const applied = await writeCommit(sql, lease, {
          commit,
          mark: `sent ${commit.before.revision}`,
        })
        if (isCut) throw new Error('the answer to COMMIT was lost')
        return applied
      },
    })
    await expect(bring(leader, 1)).rejects.toThrow('was lost')
    expect(leader.archive.state()).toMatchObject({ ratings: 0, generation: 0 })
    isCut = false
    await expect(bring(leader, 1)).rejects.toThrow('behind')
    expect(await leader.replica.catchUp()).toBe(true)
    expect(await bring(leader, 1)).toMatchObject({ inserted: 0, unchanged: 3, generation: 1 })
    const follower = await open()
    await follower.replica.catchUp()
    await expectEqual(leader, follower)
  })

  it('of a server that refuses rows after the last of them was sent is as it was, and its connection serves again', async () => {
    const leader = await openLeader()
    await sql`alter table bellwether.rating add constraint few check (id < 100)`
    try {
      await expect(bring(leader, 98)).rejects.toMatchObject({
        cause: { constraint_name: 'few' },
      })
      expect(leader.archive.state()).toMatchObject({ ratings: 0, generation: 0 })
      expect(await countStored()).toBe(0)
    } finally {
      await sql`alter table bellwether.rating drop constraint few`
    }
    expect(await bring(leader, 98)).toMatchObject({ inserted: 3, generation: 1 })
  })

  it('of a server that is killed while a commit is written is as it was, and goes on when it is back', async () => {
    const own = await openOwnStore()
    const store = own.connect()
    try {
      const alone = await open(null)
      const leader = await open(store)
      leader.lease = await seizeLease(store, 'leader')
      await bring(leader, 1)
      const lock = await store.reserve()
      await lock`begin`
      await lock`select * from bellwether.state for update`
      const failing = bring(leader, 100)
      failing.catch(() => undefined)
      while (!(await isWaiting(store))) await bring(alone, 1)
      await own.server.kill()
      await expect(failing).rejects.toMatchObject({ fault: 'not_ready' })
      expect(leader.archive.state()).toMatchObject({ ratings: 3, generation: 1 })
      await expect(leader.replica.catchUp()).rejects.toMatchObject({ fault: 'not_ready' })
      await own.server.start()
      leader.lease = await seizeLease(store, 'leader')
      expect(await bring(leader, 100)).toMatchObject({ inserted: 3, generation: 2 })
      expect(await leader.replica.verify()).toEqual([])
    } finally {
      await own.close()
    }
  })

  it('of a store that lost commits is filled anew, even where as many came again', async () => {
    const [leader, ahead, behind] = [await openLeader(), await open(), await open()]
    await bring(leader, 1)
    await behind.replica.catchUp()
    await bring(leader, 10)
    await ahead.replica.catchUp()
    const [older] = await sql<{ mark: string }[]>`
      select mark from bellwether.history where revision = 1`
    await sql`delete from bellwether.history where revision > 1`
    await sql`delete from bellwether.rating where changed > 1`
    await sql`update bellwether.state set generation = 1, revision = 1, mark = ${older?.mark ?? ''}`
    behind.lease = await seizeLease(sql, 'behind')
    await bring(behind, 20)
    const before = ahead.archive.state()
    expect(behind.archive.state().generation).toBe(before.generation)
    expect(await ahead.replica.catchUp()).toBe(true)
    expect(await leader.replica.catchUp()).toBe(true)
    const known = await selectKnownIds(ahead.archive.reader, [10, 20])
    expect([...known]).toEqual([20])
    await expectEqual(ahead, behind, leader)
    expect(ahead.archive.state().generation).toBe(before.generation)
    expect(ahead.archive.state().version).not.toBe(before.version)
  })

  it('that fails in the middle of applying is at the commit before', async () => {
    const [leader, follower] = [await openLeader(), await open()]
    await bring(leader, 1)
    await follower.replica.catchUp()
    await bring(leader, 10)
    await sql`update bellwether.rating set prediction = 'no number' where id = 11`
    await expect(follower.replica.catchUp()).rejects.toThrow()
    expect(follower.archive.state()).toMatchObject({ ratings: 3, generation: 1 })
    expect(follower.archive.applied()?.revision).toBe(1)
    await sql`update bellwether.rating set prediction = '10.00' where id = 11`
    expect(await follower.replica.catchUp()).toBe(true)
    expect(await follower.replica.verify()).toEqual([])
    await expectEqual(leader, follower)
  })

  it('that holds another rating than the shared database is found and mended', async () => {
    const [leader, follower] = [await openLeader(), await open()]
    await bring(leader, 1, 200)
    await follower.replica.catchUp()
    await follower.close()
    await changeByHand(follower.path, `update rating set tally_agree = 99 where id = 150`)
    await follower.reopen()
    const differences = await follower.replica.verify()
    expect(differences).toHaveLength(1)
    expect(differences?.[0]?.from).toBeLessThanOrEqual(150)
    expect(differences?.[0]?.to).toBeGreaterThanOrEqual(150)
    expect(await follower.replica.verify()).toEqual([])
    await expectEqual(leader, follower)
  })
})

describe('an archive that was no replica', () => {
  const rejected = [{ reason: 'id: not a number', raw: '{"id":"x"}' }]
  const source = { kind: 'dump', name: '2024-01-07' } as const
  const bring = async ({ archive }: Node, ids: number[], rows = rejected) =>
    await archive.import(source, async (run) => {
      await run.append(
        ids.map((id) => makeRating({ id })),
        rows,
      )
      return { completeTo: START }
    })

  it('brings all it holds with its first commit to a store that is empty', async () => {
    const [first, follower] = [await openLeader(), await open()]
    await first.close()
    await importAlone(first.path, async (archive) => await bring({ ...first, archive }, [1, 2]))
    await first.reopen()
    expect(await first.replica.catchUp()).toBe(false)
    await bring(first, [2, 3], [])
    await follower.replica.catchUp()
    expect(follower.archive.state()).toMatchObject({
      ratings: 3,
      quarantined: 1,
      completeTo: START,
    })
    expect(factsOf(follower)).toEqual(factsOf(first))
    expect(await follower.replica.verify()).toEqual([])
  })

  it('is filled anew from a store that is not', async () => {
    const [leader, other] = [await openLeader(), await open()]
    await bring(leader, [1, 2])
    await other.close()
    await importAlone(other.path, async (archive) => await bring({ ...other, archive }, [8, 9]))
    await other.reopen()
    expect(await other.replica.catchUp()).toBe(true)
    expect(await selectKnownIds(other.archive.reader, [1, 2, 8, 9])).toEqual(new Set([1, 2]))
  })
})
