import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { migrate } from '#lib/archive/engine/migrations.ts'
import { loadCalls } from './call-columns.ts'
import type { Market } from './market.ts'

const NO_MARKET: Market = {
  symbols: [],
  starts: Int32Array.of(0),
  days: new Int32Array(),
  closes: new Float64Array(),
  wholes: new Float64Array(),
  parts: new Int32Array(),
  states: new Uint8Array(),
  jumps: new Int32Array(),
  calendar: { first: 0, places: new Int32Array(), size: 0 },
  compared: new Int32Array(),
  windows: new Map(),
}

const RATINGS = 400_000

test('calls of more ratings than fit into the memory of the engine are loaded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-calls-'))
  const engine = await openEngine({
    path: join(folder, 'archive.duckdb'),
    memoryLimit: '32MB',
    threads: 1,
  })
  onTestFinished(async () => {
    await engine.close()
    await rm(folder, { recursive: true })
  })
  const { db } = engine.writer
  await migrate(db)
  await sql`
    insert into rating by name
    select range as id, range % 1000 as user_id, 'S' || range % 100 as symbol, symbol as symbol_key,
      1 + range % 5 as rating, '' as rating_label, 1 as action, '' as action_label,
      '1' as prediction, range % 777 as prediction_value, 0 as tally_agree, 0 as tally_disagree,
      0 as tally_comment, 1000000000 + range as created_at, '' as created_at_date,
      2000000000 as effective_until
    from range(${sql.lit(RATINGS)})`.execute(db)
  const { calls } = await loadCalls(engine.writer, NO_MARKET)
  expect([calls.count, calls.userIds.length]).toEqual([RATINGS, 1000])
  expect(calls.starts.at(1)).toBe(RATINGS / 100)
})
