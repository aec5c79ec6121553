import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Database } from '#lib/store/connection.ts'
import { createDocuments, createSharedDocuments } from '#lib/store/documents.ts'
import { openAlerts } from '#testing/alerts/open-alerts.ts'
import { SECRET } from '#testing/alerts/open-receiver.ts'
import { makeRating, START } from '#testing/archive/arbitrary.ts'
import type { TestStore } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import { storedRules } from './rules.ts'
import { alertState } from './state.ts'

let store: TestStore
let sql: Database

beforeAll(async () => {
  store = await openTestStore()
  sql = store.connect()
})
afterAll(async () => await store?.close())
beforeEach(async () => {
  await sql`truncate bellwether.document`
})

async function openNodes() {
  const sent: string[] = []
  const network = { untilAnswered: Promise.resolve(), fails: (_ids: string[]) => false }
  let suspend = () => {}
  const open = async () => {
    const documents = createSharedDocuments(createDocuments({ sql: store.connect() }))
    const state = documents.open('alerts.state', alertState)
    const node = await openAlerts({
      records: {
        rules: documents.open('alerts.rules', storedRules),
        state: {
          load: state.load,
          update: async (change) => {
            await state.update(change)
            suspend()
          },
        },
        refresh: documents.refresh,
      },
      deliverer: {
        deliver: async (_target, { body }) => {
          const { data } = JSON.parse(body) as { data: { ratings: { id: number }[] } }
          const ids = data.ratings.map(({ id }) => String(id))
          if (network.fails(ids)) {
            return { delivered: false, status: 500, reason: 'no', isFinal: false, waitSeconds: 0 }
          }
          sent.push(...ids)
          await network.untilAnswered
          return { delivered: true, status: 200 }
        },
        close: async () => {},
      },
    })
    onTestFinished(node.close)
    return node
  }
  const [one, two] = [await open(), await open()]
  two.state.isJudging = false
  const post = async (id: number) => {
    const rows = [makeRating({ id, user_id: id, created_at: one.clock.now })]
    await Promise.all([one.commit(rows), two.commit(rows)])
  }
  const pass = async (seconds: number) => {
    await Promise.all([one.alerts().settled(), two.alerts().settled()])
    await Promise.all([one.pass(seconds), two.pass(seconds)])
  }
  for (const node of [one, two]) await node.commit([makeRating({ id: 1, created_at: START - 10 })])
  const rule = { name: 'All', webhook: 'hook', kind: 'ratings', query: '' }
  await two.alerts().add({ rule, target: { url: 'https://chat.example/', secret: SECRET } })
  await pass(60)
  const suspendOne = () => {
    suspend = () => {
      one.clock.ms += 60_000
    }
    return () => {
      suspend = () => {}
    }
  }
  return { one, two, post, pass, sent, network, suspendOne }
}

test('what one node told, the next one that leads does not tell again, and goes on from there', async () => {
  const { one, two, post, pass, sent } = await openNodes()
  await post(2)
  await pass(60)
  expect(sent).toEqual(['2'])
  one.state.isJudging = false
  await post(3)
  two.state.isJudging = true
  await pass(60)
  await pass(60)
  expect(sent).toEqual(['2', '3'])
  expect(await one.alerts().report()).toMatchObject({ sent: 2, is_judging: false })
})

test('two nodes that both believe they lead tell each rating once', async () => {
  const { two, post, pass, sent } = await openNodes()
  two.state.isJudging = true
  for (let id = 2; id < 22; id += 1) {
    await post(id)
    await pass(60)
  }
  await pass(120)
  expect(sent.sort()).toEqual(Array.from({ length: 20 }, (_, n) => String(n + 2)).sort())
})

test('a node whose clock is an hour ahead does not send what another node is sending', async () => {
  const { one, two, post, pass, sent, network } = await openNodes()
  let answer = () => {}
  network.untilAnswered = new Promise((resolve) => {
    answer = resolve
  })
  await post(2)
  const passed = pass(60)
  await expect.poll(() => sent).toEqual(['2'])
  two.state.isJudging = true
  await two.pass(3600)
  expect(sent).toEqual(['2'])
  answer()
  await passed
  await Promise.all([one.pass(60), two.pass(60)])
  expect(sent).toEqual(['2'])
})

test('a node that was suspended after its claim leaves the message to the next claim', async () => {
  const { one, sent, suspendOne, pass } = await openNodes()
  const resume = suspendOne()
  await one.commit([makeRating({ id: 2, created_at: one.clock.now })])
  await pass(60)
  expect(sent).toEqual([])
  resume()
  await sql`update bellwether.document set version = version + 1,
    content = replace(content, '"retry_at":' || (content::json->'outbox'->0->>'retry_at'), '"retry_at":0')
    where name = 'alerts.state'`
  await pass(60)
  expect(sent).toEqual(['2'])
})

async function endWaits() {
  await sql`update bellwether.document set version = version + 1,
    content = regexp_replace(content, '"retry_at":[0-9]+', '"retry_at":0', 'g')
    where name = 'alerts.state'`
}

test('a message that its receiver alone fails for holds up no other, though another node goes on', async () => {
  const { one, two, post, pass, sent, network } = await openNodes()
  network.fails = (ids) => ids.includes('2')
  for (const id of [2, 3, 4]) await post(id)
  await pass(60)
  await endWaits()
  await pass(5)
  expect(sent).toEqual([])
  one.state.isJudging = false
  two.state.isJudging = true
  for (let tries = 0; tries < 8; tries += 1) {
    await endWaits()
    await pass(5)
    if (tries === 0) expect([...sent].sort()).toEqual(['3', '4'])
  }
  expect([...sent].sort()).toEqual(['3', '4'])
  expect(await two.alerts().report()).toMatchObject({
    outbox_total: 0,
    given_up: [{ attempts: 8, reason: 'no Later messages were delivered.' }],
  })
})
