import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openOwnStore, type TestStore } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import type { Database } from './connection.ts'
import { transact } from './transaction.ts'

let store: TestStore
let sql: Database
let other: Database

beforeAll(async () => {
  store = await openTestStore()
  sql = store.connect(1)
  other = store.connect(1)
  await sql`create table kept (text text)`
})
afterAll(async () => await store?.close())

const kept = async () => (await other`select text from kept`).map(({ text }) => text)
const endSession = async (pid: number) => await other`select pg_terminate_backend(${pid}::int)`

describe('a transaction', () => {
  it('is there in full, or not at all', async () => {
    expect(
      await transact(sql, async (transaction) => {
        await transaction`insert into kept values ('whole')`
        return 7
      }),
    ).toBe(7)
    const broken = transact(sql, async (transaction) => {
      await transaction`insert into kept values ('half')`
      throw new Error('thought better of it')
    })
    await expect(broken).rejects.toThrow('thought better of it')
    expect(await kept()).toEqual(['whole'])
  })

  it('whose connection is lost sends nothing more, not even by the session that follows', async () => {
    let goOn = () => {}
    const isOver = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const refused: unknown[] = []
    const lost = transact(sql, async (transaction) => {
      const [row] = await transaction`select pg_backend_pid() as pid`
      await transaction`insert into kept values ('before')`
      await endSession(row?.pid)
      await isOver
      try {
        await transaction`insert into kept values ('after')`
      } catch (error) {
        refused.push(error)
        throw error
      }
    })
    await expect(lost).rejects.toThrow()
    expect(await sql`select 1 as one`).toHaveLength(1)
    goOn()
    await expect.poll(() => refused).toHaveLength(1)
    expect(await kept()).toEqual(['whole'])
  })

  it('leaves connections that work, however often the server is lost in the middle', async () => {
    const own = await openOwnStore()
    onTestFinished(own.close)
    const pool = own.connect(1)
    for (let round = 0; round < 3; round += 1) {
      let isOver = false
      let ended = 0
      const writing = Array.from({ length: 3 }, async () => {
        while (!isOver) {
          await transact(pool, async (transaction) => {
            await transaction`select 1`
            await transaction`select pg_sleep(0.001)`
          }).catch(() => undefined)
          ended += 1
          await new Promise((resolve) => setImmediate(resolve))
        }
      })
      await expect.poll(() => ended, { interval: 5 }).toBeGreaterThan(9)
      await own.server.kill()
      await own.server.start()
      isOver = true
      await Promise.all(writing)
      await expect.poll(() => pool`select 1 as one`.catch(() => [])).toHaveLength(1)
    }
  })
})
