import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#lib/store/connection.ts'
import { anImport, runImport } from '#testing/nodes/imports.ts'
import {
  emptyStore,
  lead,
  type Node,
  type NodeOptions,
  openNode,
  openStore,
} from '#testing/nodes/shared-archives.ts'
import { repeats } from '#testing/repeats.ts'
import { type PostgresServer, startPostgres } from '#testing/store/postgres.ts'

let server: PostgresServer
let sql: Database
const opened: Node[] = []

beforeAll(async () => {
  server = await startPostgres()
  sql = await openStore(await server.database('replica'))
})
beforeEach(async () => {
  await emptyStore(sql)
  return async () => {
    for (const node of opened.splice(0)) await node.remove()
  }
})
afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await server?.close()
})

async function open(store: Database | null = sql, options: NodeOptions = {}): Promise<Node> {
  const node = await openNode(store, options)
  opened.push(node)
  return node
}

async function openLeader(options: NodeOptions = {}): Promise<Node> {
  const node = await open(sql, options)
  node.lease = await lead(sql, 'leader')
  return node
}

const someImports = fc.array(
  fc.record({ run: anImport, followed: fc.boolean(), later: fc.nat(1000) }),
  { minLength: 1, maxLength: 6 },
)

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
          expect(node.archive.state()).toEqual(leader.archive.state())
          expect(node.archive.applied()).toEqual(leader.archive.applied())
        }
        expect(alone.archive.state()).toEqual(leader.archive.state())
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
      { numRuns: repeats(24), endOnFailure: true },
    )
  })
})
