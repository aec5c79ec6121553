import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestStore } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import { inTime } from './in-time.ts'
import { transact } from './transaction.ts'

let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
})
afterAll(async () => await store?.close())

it('a server that falls silent is waited for so long and no longer, and is asked again when it speaks', async () => {
  const sql = store.connect(1)
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  if (!row) throw new Error('no session')
  process.kill(row.pid, 'SIGSTOP')
  const silent = transact(sql, async (transaction) => await transaction`select 1`)
  silent.catch(() => undefined)
  await expect(inTime(sql, silent, 100)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  process.kill(row.pid, 'SIGCONT')
  expect(await inTime(sql, sql`select 2 as two`)).toHaveLength(1)
  expect(await inTime(sql, Promise.resolve('at once'), 10_000)).toBe('at once')
})
