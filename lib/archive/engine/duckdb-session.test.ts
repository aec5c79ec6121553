import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openEngine } from './duckdb-engine.ts'

test('a read is ended by its signal, whenever that comes', async () => {
  const engine = await openEngine({ path: ':memory:', memoryLimit: '64MB', threads: 1 })
  const count = async (signal: AbortSignal) =>
    await engine.read(
      async (db) => await sql`select sum(hash(range)) from range(1000000000000)`.execute(db),
      signal,
    )
  for (let turns = 0; turns < 5; turns += 1) {
    const leaving = new AbortController()
    const counted = count(leaving.signal)
    for (let turn = 0; turn < turns; turn += 1) await new Promise((go) => setImmediate(go))
    leaving.abort()
    await expect(counted).rejects.toMatchObject({ fault: 'busy' })
  }
  await engine.close()
})
