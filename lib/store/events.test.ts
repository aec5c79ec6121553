import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openOwnStore, type TestStore } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import type { Database } from './connection.ts'
import { createSharedEventLog, type SharedEventLog } from './events.ts'

let store: TestStore
let pools: Database[]

const NODES = 3
const now = () => Math.floor(Date.now() / 1000)

beforeAll(async () => {
  store = await openTestStore()
  pools = Array.from({ length: NODES }, () => store.connect())
})
afterAll(async () => await store?.close())
beforeEach(async () => {
  await sql()`truncate bellwether.event`
})

const sql = (index = 0): Database => {
  const pool = pools[index]
  if (!pool) throw new Error('no such node')
  return pool
}

type Options = { clock?: () => number; problems?: string[]; pool?: Database }

const openNode = async (
  index = 0,
  { clock = now, problems = [], pool = sql(index) }: Options = {},
) => {
  const log = createSharedEventLog({
    sql: pool,
    node: `n${index}`,
    now: clock,
    random: Math.random,
    log: (problem) => problems.push(problem),
  })
  await log.refresh()
  return log
}

const say = (log: SharedEventLog, message: string) =>
  log.append({ level: 'info', kind: 'process', message, fields: {} })

const messages = (log: SharedEventLog, count = 10_000) =>
  log
    .latest(count)
    .map(({ message }) => message)
    .toReversed()

const kept = async (pool = sql()) =>
  (await pool<{ entry: string }[]>`select entry from bellwether.event order by id`).map(
    ({ entry }) => (JSON.parse(entry) as { message: string }).message,
  )

const hear = (log: SharedEventLog) => {
  const heard: string[] = []
  log.onAppend(({ message }) => heard.push(message))
  return heard
}

describe('the event log of all nodes', () => {
  it('shows an entry at once here and after a look elsewhere, under one number, and tells it once', async () => {
    const [here, there] = [await openNode(0), await openNode(1)]
    const [heardHere, heardThere] = [hear(here), hear(there)]
    say(here, 'Started.')
    expect(messages(here)).toEqual(['Started.'])
    await here.close()
    for (let n = 0; n < 3; n += 1) {
      await here.refresh()
      await there.refresh()
    }
    expect([heardHere, heardThere]).toEqual([['Started.'], ['Started.']])
    expect(there.latest(1)).toEqual(here.latest(1))
    expect(messages(await openNode(2))).toEqual(['Started.'])
  })

  it('loses nothing and doubles nothing, though all nodes write and read at once', async () => {
    const logs = await Promise.all([openNode(0), openNode(1), openNode(2)])
    const heard = logs.map(hear)
    const wanted: string[] = []
    for (let n = 0; n < 60; n += 1) {
      const message = `Entry ${n}.`
      wanted.push(message)
      say(logs[n % NODES] as SharedEventLog, message)
      if (n % 4 === 0) await Promise.all(logs.map((log) => log.refresh()))
    }
    await Promise.all(logs.map((log) => log.close()))
    await Promise.all(logs.map((log) => log.refresh()))
    for (const one of heard) expect(one.toSorted()).toEqual(wanted.toSorted())
    for (const log of logs) {
      expect(new Set(log.latest(100).map(({ id }) => id)).size).toBe(60)
    }
    expect((await kept()).toSorted()).toEqual(wanted.toSorted())
  })

  it('keeps the newest 5,000 and holds the newest thousand', async () => {
    const entry = JSON.stringify({
      id: 1,
      at: 1,
      level: 'info',
      kind: 'sync',
      message: 'old',
      fields: {},
    })
    await sql()`insert into bellwether.event (node, entry) select 'n', ${entry} from generate_series(1, 5200)`
    const log = await openNode()
    expect(messages(log)).toHaveLength(1000)
    say(log, 'new')
    await log.close()
    expect(await kept()).toHaveLength(5000)
    expect((await kept()).at(-1)).toBe('new')
  })

  it('leaves out what is damaged, or what a newer program wrote', async () => {
    const log = await openNode()
    await sql()`insert into bellwether.event (node, entry) values ('n', 'no JSON'), ('n', '{"id": 1}')`
    await log.refresh()
    expect(messages(log)).toEqual([])
  })
})

describe('while the database is away', () => {
  it('entries are shown at once, held up to a thousand, and written once when it is back', async () => {
    const problems: string[] = []
    const own = await openOwnStore()
    onTestFinished(own.close)
    const pool = own.connect()
    const log = await openNode(0, { problems, pool })
    const heard = hear(log)
    await own.server.kill()
    for (let n = 0; n < 1200; n += 1) say(log, `Entry ${n}.`)
    expect(messages(log, 1)).toEqual(['Entry 1199.'])
    expect(heard).toHaveLength(1200)
    await log.close()
    await expect(log.refresh()).rejects.toThrow('The shared database cannot be reached.')
    expect(problems).toEqual(['the event log cannot be written'])
    await own.server.start()
    await expect
      .poll(() =>
        log.refresh().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await expect.poll(() => log.refresh().then(() => kept(pool))).toHaveLength(1000)
    expect((await kept(pool))[0]).toBe('Entry 200.')
    expect(heard).toHaveLength(1200)
    const there = await openNode(1, { pool })
    expect(messages(there, 1)).toEqual(['Entry 1199.'])
  })
})
