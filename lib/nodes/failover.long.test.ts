import { afterAll, beforeAll, expect, it } from 'vitest'
import { selectKnownIds } from '#lib/archive/ratings/ratings.ts'
import { parseDatabaseUrl } from '#lib/store/address.ts'
import { connect, type Database } from '#lib/store/connection.ts'
import { selectEditions } from '#lib/store/edition-files.ts'
import { createSharedLedger, type SharedLedger } from '#lib/store/request-ledger.ts'
import { migrateStore } from '#lib/store/schema.ts'
import { importRows, makeRating } from '#testing/archive/arbitrary.ts'
import { type CutLine, startCutLine } from '#testing/nodes/cut-line.ts'
import { openTestNode, putEdition, readFolder } from '#testing/nodes/edition-nodes.ts'
import { type Node, openNode } from '#testing/nodes/shared-archives.ts'
import { seizeLease } from '#testing/store/open-store.ts'
import { type PostgresServer, startPostgres } from '#testing/store/postgres.ts'
import { type Standby, startStandby } from '#testing/store/standby.ts'

let primary: PostgresServer
let standby: Standby
let line: CutLine
let pools: [Database, Database]

beforeAll(async () => {
  primary = await startPostgres()
  const url = await primary.database('nodes')
  line = await startCutLine(primary.port)
  standby = await startStandby(primary, { through: Number(new URL(line.through(url)).port) })
  const both = url.replace(/:(\d+)\//, `:${primary.port},127.0.0.1:${standby.port}/`)
  const parsed = parseDatabaseUrl(both)
  if (!parsed.ok) throw new Error(parsed.problem)
  const { address } = parsed
  pools = [connect({ address }), connect({ address })]
  await migrateStore(pools[0])
})
afterAll(async () => {
  await Promise.all((pools ?? []).map(async (sql) => await sql.end({ timeout: 1 })))
  await standby?.close()
  await line?.close()
  await primary?.close()
})

const LIMITS = { perMinute: 9, perMonth: 1000 }
const SENT = { before: 3, lost: 4, people: 2 }
const never = () => new AbortController().signal

const bring = async ({ archive }: Node, ids: number[]) =>
  await importRows(
    archive,
    ids.map((id) => makeRating({ id })),
  )

const openLedger = (sql: Database, node: string) =>
  createSharedLedger({
    sql,
    node,
    now: () => Math.floor(Date.now() / 1000),
    nowMs: () => performance.now(),
  })

async function spend(ledger: SharedLedger, times: number, purpose: 'follow' | 'people') {
  for (let time = 0; time < times; time += 1) await ledger.charge(LIMITS, purpose)
}

const countRequests = async (sql: Database) => {
  const [row] = await sql<{ month: number; single: number }[]>`
    select (select sum(requests)::int from bellwether.request_month) as month,
      (select count(*)::int from bellwether.request) as single`
  return { ...row }
}

it('a standby that lacks the last commits is followed: every archive, dump and count is whole again', async () => {
  const [one, two] = pools
  const [leader, other] = [await openNode(one), await openNode(two)]
  const [editions, others] = [await openTestNode(one), await openTestNode(two)]
  const [ledger, otherLedger] = [openLedger(one, 'one'), openLedger(two, 'two')]
  leader.lease = await seizeLease(one, 'one')
  await bring(leader, [1, 2, 3])
  await putEdition(editions.dir, { week: 1, bytes: Buffer.from('kept') })
  await editions.editions.reload()
  await editions.copies.publish(leader.lease)
  await others.copies.follow(never())
  await spend(ledger, SENT.before, 'follow')
  await standby.untilEqual()

  line.silence()
  await bring(leader, [4, 5])
  await bring(leader, [6])
  await other.replica.catchUp()
  expect(other.archive.state()).toMatchObject({ ratings: 6, generation: 3 })
  await putEdition(editions.dir, { week: 2, bytes: Buffer.from('lost') })
  await editions.editions.reload()
  await editions.copies.publish(leader.lease)
  await others.copies.follow(never())
  expect(Object.keys(await readFolder(others.dir))).toHaveLength(4)
  await spend(otherLedger, SENT.people, 'people')
  await spend(ledger, SENT.lost, 'follow')
  await primary.kill()
  await standby.promote()

  const answers = async () => await one`select 1`.catch(() => [])
  await expect.poll(answers).toHaveLength(1)
  expect(await countRequests(one)).toEqual({ month: SENT.before, single: SENT.before })
  await ledger.refresh()
  const known = SENT.before + SENT.lost
  expect(await countRequests(one)).toEqual({ month: known, single: known })
  await expect(otherLedger.charge(LIMITS, 'follow')).rejects.toMatchObject({
    fault: 'budget_spent',
  })
  await otherLedger.refresh()
  await ledger.refresh()
  const all = known + SENT.people
  expect(await countRequests(two)).toEqual({ month: all, single: all })
  expect(ledger.budget(LIMITS)).toMatchObject({
    minute: { used: all },
    spent: { follow: known, people: SENT.people },
  })

  other.lease = await seizeLease(two, 'two')
  expect(await other.replica.catchUp()).toBe(true)
  expect(other.archive.state()).toMatchObject({ ratings: 3, generation: 1 })
  await bring(other, [4, 5, 6, 7])
  expect(await leader.replica.catchUp()).toBe(true)
  expect(await leader.replica.verify()).toEqual([])
  expect(await selectKnownIds(leader.archive.reader, [1, 2, 3, 4, 5, 6, 7, 8])).toHaveProperty(
    'size',
    7,
  )

  await others.copies.follow(never())
  await editions.copies.follow(never())
  expect(await readFolder(editions.dir)).toEqual(await readFolder(others.dir))
  expect((await selectEditions(two)).editions.map(({ name }) => name)).toHaveLength(1)
  await putEdition(others.dir, { week: 3, bytes: Buffer.from('new') })
  await others.editions.reload()
  await others.copies.publish(other.lease)
  await editions.copies.follow(never())
  expect(await readFolder(editions.dir)).toEqual(await readFolder(others.dir))
  expect(await leader.closeAndRead()).toEqual(await other.closeAndRead())
  await Promise.all([leader.remove(), other.remove()])
})
