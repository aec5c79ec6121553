import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { TestStore } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import type { Database } from './connection.ts'
import { createSharedLedger } from './request-ledger.ts'
import { openSentRequests, type SentRequests } from './sent-requests.ts'

let store: TestStore
let sql: Database

beforeAll(async () => {
  store = await openTestStore()
  sql = store.connect()
})
afterAll(async () => await store?.close())
beforeEach(async () => {
  await sql`truncate bellwether.request, bellwether.request_month`
})

const NONE = { perMinute: null, perMonth: null }

async function makeFile(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-sent-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return join(dir, 'sent.ndjson')
}

const open = async (file: string) =>
  await openSentRequests({
    file,
    onProblem: (error) => {
      throw error
    },
  })

const openLedger = (sent: SentRequests) =>
  createSharedLedger({
    sql,
    node: 'a',
    sent,
    now: () => Math.floor(Date.now() / 1000),
    nowMs: () => performance.now(),
  })

const counts = async () => {
  const single = await sql`select id, at, purpose, node from bellwether.request order by id`
  const months = await sql`select * from bellwether.request_month order by month, purpose`
  return { single: [...single], months: [...months] }
}

describe('what a node sent itself', () => {
  it('is counted again as it was where the database lost it, also by the process after it', async () => {
    const file = await makeFile()
    const ledger = openLedger(await open(file))
    await ledger.charge(NONE, 'dump')
    await ledger.charge(NONE, 'people')
    await ledger.charge(NONE, 'people')
    const before = await counts()
    await sql`truncate bellwether.request, bellwether.request_month`
    const next = openLedger(await open(file))
    await next.refresh()
    expect(await counts()).toEqual(before)
    await next.refresh()
    await ledger.refresh()
    expect(await counts()).toEqual(before)
    expect(next.budget(NONE)).toMatchObject({ minute: { used: 3 }, spent: { dump: 1, people: 2 } })
  })

  it('is counted beside what others sent since, and only as far as it is missing', async () => {
    const [mine, others] = [openLedger(await open(await makeFile())), openLedger(await none())]
    await mine.charge(NONE, 'follow')
    const kept = await counts()
    await mine.charge(NONE, 'follow')
    await sql`delete from bellwether.request where id <> ${String(kept.single[0]?.id)}`
    await sql`update bellwether.request_month set requests = 1`
    await others.charge(NONE, 'follow')
    await mine.charge(NONE, 'follow')
    expect((await counts()).single).toHaveLength(4)
    expect((await counts()).months).toMatchObject([{ purpose: 'follow', requests: 4 }])
  })

  it('is not counted twice once the database has tidied single requests away', async () => {
    const file = await makeFile()
    const sent = await open(file)
    await openLedger(sent).charge(NONE, 'follow')
    const [one] = sent.all()
    if (!one) throw new Error('nothing was noted')
    const old = await open(await makeFile())
    await old.note({ ...one, at: one.at - 86_400 })
    await sql`delete from bellwether.request`
    await openLedger(old).refresh()
    expect(await counts()).toMatchObject({ single: [], months: [{ requests: 1 }] })
  })
})

const none = async () => await open(await makeFile())
