import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseDatabaseUrl } from '#lib/store/address.ts'
import { connect, type Database } from '#lib/store/connection.ts'
import { migrateStore, STORE_VERSION } from '#lib/store/schema.ts'
import { type CutLine, startCutLine } from '#testing/nodes/cut-line.ts'
import { makeDatabase } from '#testing/store/test-store.ts'
import { createReach } from './reach.ts'

let line: CutLine
let sql: Database
let other: Database

beforeAll(async () => {
  const url = await makeDatabase()
  line = await startCutLine(Number(new URL(url).port))
  const open = (address: string) => {
    const parsed = parseDatabaseUrl(address)
    if (!parsed.ok) throw new Error(parsed.problem)
    return connect({ address: parsed.address })
  }
  sql = open(line.through(url))
  other = open(url)
})
afterAll(async () => {
  await Promise.all([sql, other].map(async (pool) => await pool?.end({ timeout: 0 })))
  await line?.close()
})

const AWAY_MS = 400

let looks = 0

const open = (logged: string[] = []) =>
  createReach({
    sql,
    now: () => Date.now() / 1000,
    nowMs: () => performance.now(),
    every(seconds, run) {
      const look = () => {
        looks += 1
        run()
      }
      const timer = setInterval(look, seconds * 10)
      return () => clearInterval(timer)
    },
    log: (message) => void logged.push(message),
    awayMs: AWAY_MS,
  })

it('tables that another node changes are waited for, however long, as long as the database lives', async () => {
  await other`select 1`
  const lock = await other.reserve()
  await lock`select pg_advisory_lock(7415226091)`
  const reach = open()
  let isDone = false
  const migrated = reach.whileItLives(migrateStore(sql)).then(() => {
    isDone = true
  })
  await expect.poll(() => looks).toBeGreaterThan(30)
  expect([isDone, reach.awaySince()]).toEqual([false, null])
  await lock`select pg_advisory_unlock_all()`
  lock.release()
  await migrated
  const [row] = await other`select version from bellwether.schema_version`
  expect(row?.version).toBe(STORE_VERSION)
})

it('a database that accepts a connection and falls silent is given up after a few questions', async () => {
  const logged: string[] = []
  const reach = open(logged)
  await reach.use(sql`select 1`.execute())
  line.silence()
  const waiting = reach.whileItLives(sql`select pg_sleep(60)`.execute())
  await expect(waiting).rejects.toMatchObject({
    fault: 'not_ready',
    message: 'The shared database cannot be reached.',
  })
  expect(reach.awaySince()).not.toBeNull()
  expect(logged).toEqual(['the shared database is unreachable'])
  line.restore()
  await reach.use(sql`select 1`.execute())
  expect(reach.awaySince()).toBeNull()
})
