import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CutLine, startCutLine } from '#testing/nodes/cut-line.ts'
import type { TestStore } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import { parseDatabaseUrl } from './address.ts'
import { connect, type Database, inTime } from './connection.ts'
import { listen, type Notice, notify } from './notices.ts'
import { transact } from './transaction.ts'

let store: TestStore
let line: CutLine
let sql: Database

beforeEach(async () => {
  store = await openTestStore()
  line = await startCutLine(Number(new URL(store.url).port))
  const parsed = parseDatabaseUrl(line.through(store.url))
  if (!parsed.ok) throw new Error(parsed.problem)
  sql = connect({ address: parsed.address, connections: 2 })
})
afterEach(async () => {
  await sql.end({ timeout: 0 })
  await line.close()
  await store.close()
})

it('a host that vanished blocks nobody: pending queries fail, and the next ones go to an available host', async () => {
  const heard: Notice[] = []
  let times = 0
  const count = () => {
    times += 1
  }
  const end = await listen(sql, (notice) => heard.push(notice), count)
  await expect.poll(() => times).toBe(1)
  await Promise.all([1, 2].map(async () => await sql`select pg_sleep(0.1)`))
  line.silence()
  const asked = [1, 2, 3].map((number) => sql`select ${number}::int`.then(() => 'answered'))
  const inside = transact(sql, async (transaction) => await transaction`select 1`)
  const all = Promise.allSettled([...asked, inside])
  const late = inTime(sql, Promise.allSettled(asked), 200)
  line.restore()
  await expect(late).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  expect((await all).map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  expect(await inTime(sql, sql`select 2 as two`)).toHaveLength(1)
  await expect.poll(() => times).toBe(2)
  await notify(store.connect(), 'wish')
  await expect.poll(() => heard).toEqual(['wish'])
  await end()
})

it('who waited for connections that were replaced already replaces none of the new ones', async () => {
  const [first, second] = [sql.watch(), sql.watch()]
  first()
  const running = sql`select pg_sleep(0.2)`.execute()
  second()
  expect(await running).toHaveLength(1)
})
