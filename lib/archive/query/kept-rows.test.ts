import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { createKeptRows } from './kept-rows.ts'

async function start() {
  const engine = await openEngine({ path: ':memory:', memoryLimit: '64MB', threads: 1 })
  await sql`create table symbol (symbol_key varchar, symbol varchar)`.execute(engine.writer.db)
  const world = { generation: 1, asked: 0 }
  const counted: typeof engine = {
    ...engine,
    read: (work, signal) => {
      world.asked += 1
      return engine.read(work, signal)
    },
  }
  const kept = createKeptRows(counted, () => `${world.generation}`)
  const insert = async (...keys: string[]) => {
    for (const key of keys) {
      await engine.writer.db.insertInto('symbol').values({ symbol_key: key, symbol: key }).execute()
    }
    world.generation += 1
  }
  const ask = (letter: string, signal?: AbortSignal) =>
    kept.select(
      (db) => db.selectFrom('symbol').select('symbol').where('symbol', 'like', `${letter}%`),
      signal,
    )
  return { engine, world, insert, ask }
}

it('a query is asked once a generation, whoever asks it, and with other values anew', async () => {
  const { engine, world, insert, ask } = await start()
  await insert('AAPL', 'AMD', 'MSFT')
  const both = await Promise.all([ask('A'), ask('A')])
  expect(both.map((rows) => rows.length)).toEqual([2, 2])
  expect(await ask('A')).toHaveLength(2)
  expect(world.asked).toBe(1)
  expect(await ask('M')).toEqual([{ symbol: 'MSFT' }])
  expect(world.asked).toBe(2)
  await insert('ABC')
  expect(await ask('A')).toHaveLength(3)
  expect(world.asked).toBe(3)
  await engine.close()
})

it('who leaves does not take the answer from who waits for the same', async () => {
  const { engine, insert, ask } = await start()
  await insert('AAPL')
  const leaving = new AbortController()
  const left = ask('A', leaving.signal)
  const stays = ask('A')
  leaving.abort()
  await expect(left).rejects.toMatchObject({ fault: 'busy' })
  expect(await stays).toHaveLength(1)
  await engine.close()
})

it('what has many rows is not kept', async () => {
  const { engine, world, insert, ask } = await start()
  await insert(...Array.from({ length: 101 }, (_, n) => `A${n}`))
  await ask('A')
  await ask('A')
  expect(world.asked).toBe(2)
  await engine.close()
})
