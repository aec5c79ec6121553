import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { TestStore } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import type { Database } from './connection.ts'
import { createDocuments, createSharedDocuments, type Documents } from './documents.ts'
import { takeLease } from './lease.ts'
import { listen, type Notice } from './notices.ts'

let store: TestStore
let pools: Database[]
let sql: Database

const NODES = 3
const schema = z.object({ names: z.array(z.string()) })

beforeAll(async () => {
  store = await openTestStore()
  pools = Array.from({ length: NODES }, () => store.connect())
  sql = store.connect()
})
afterAll(async () => await store?.close())
beforeEach(async () => {
  await sql`truncate bellwether.document`
})

function counting(pool: Database): Documents & { asked: () => number } {
  const documents = createDocuments({ sql: pool })
  let asked = 0
  const counted =
    <A extends unknown[], T>(work: (...args: A) => T) =>
    (...args: A) => {
      asked += 1
      return work(...args)
    }
  return {
    load: counted(documents.load),
    loadChanged: counted(documents.loadChanged),
    save: counted(documents.save),
    update: counted(documents.update),
    asked: () => asked,
  }
}

describe('a document', () => {
  it('is another version after each change, and holds every text', async () => {
    const documents = createDocuments({ sql })
    expect(await documents.load('text')).toBeNull()
    const odd = JSON.stringify({ text: 'a\u0000b \ud800 "quoted" \\u0000 ü 🎈' })
    await documents.save('text', odd)
    const first = await documents.load('text')
    expect(first?.content).toBe(odd)
    await documents.save('text', odd)
    expect((await documents.load('text'))?.version).toBeGreaterThan(first?.version ?? Infinity)
  })

  it('takes the changes of all nodes, though they come at once', async () => {
    const add = (name: string) => (text: string | null) =>
      JSON.stringify([...(text === null ? [] : (JSON.parse(text) as string[])), name])
    const names = Array.from({ length: 24 }, (_, n) => `name ${n}`)
    await Promise.all(
      names.map((name, n) =>
        createDocuments({ sql: pools[n % NODES] ?? sql }).update('list', add(name)),
      ),
    )
    const kept = JSON.parse(
      (await createDocuments({ sql }).load('list'))?.content ?? '',
    ) as string[]
    expect(kept.toSorted()).toEqual(names.toSorted())
  })

  it('is not saved by who holds the lease no more', async () => {
    const documents = createDocuments({ sql })
    await sql`update bellwether.lease set until = '-infinity'`
    const lease = await takeLease(sql, 'first')
    if (!lease) throw new Error('not taken')
    await documents.save('led', 'one', { lease })
    await sql`update bellwether.lease set until = '-infinity'`
    await takeLease(sql, 'second')
    await expect(documents.save('led', 'two', { lease })).rejects.toThrow(
      'Another node is syncing.',
    )
    expect((await documents.load('led'))?.content).toBe('one')
  })

  it('that changed is told of, once for each change', async () => {
    const heard: Notice[] = []
    const leave = await listen(
      pools[0] ?? sql,
      (notice) => heard.push(notice),
      () => undefined,
    )
    const documents = createDocuments({ sql })
    await documents.save('told', 'one', { notice: 'status' })
    await documents.update('told', () => 'two')
    await documents.update('told', () => 'two')
    await documents.save('told', 'three')
    await expect.poll(() => heard).toEqual(['status', 'document', 'document'])
    await leave()
  })
})

describe('a document that nodes hold a copy of', () => {
  it('is read without a statement, and is as the others made it after one', async () => {
    const [here, there] = pools.map((pool) => counting(pool))
    if (!here || !there) throw new Error('no nodes')
    const [mine, theirs] = [createSharedDocuments(here), createSharedDocuments(there)]
    const [first, second] = [mine.open('a', schema), mine.open('b', schema)]
    expect([await first.load(), await second.load()]).toEqual([null, null])
    await theirs.open('a', schema).update(() => ({ names: ['ada'] }))
    const before = here.asked()
    for (let n = 0; n < 10; n += 1) expect(await first.load()).toBeNull()
    expect(here.asked()).toBe(before)
    await mine.refresh()
    expect(await first.load()).toEqual({ names: ['ada'] })
    expect(await first.load()).toBe(await first.load())
    expect(here.asked()).toBe(before + 1)
    await second.update((kept) => ({ names: [...(kept?.names ?? []), 'bob'] }))
    expect(await second.load()).toEqual({ names: ['bob'] })
  })

  it('that this node changes is never put back by what was read before', async () => {
    const documents = createDocuments({ sql })
    await documents.save('a', JSON.stringify({ names: ['old'] }))
    let answer = () => {}
    const waiting = new Promise<void>((resolve) => {
      answer = resolve
    })
    const shared = createSharedDocuments({
      ...documents,
      async loadChanged(known) {
        const changed = await documents.loadChanged(known)
        await waiting
        return changed
      },
    })
    const file = shared.open('a', schema)
    await file.load()
    await documents.save('a', JSON.stringify({ names: ['theirs'] }))
    const refreshing = shared.refresh()
    await file.update(() => ({ names: ['mine'] }))
    answer()
    await refreshing
    expect(await file.load()).toEqual({ names: ['mine'] })
  })

  it('throws where it is damaged, and is not overwritten then', async () => {
    await createDocuments({ sql }).save('a', '{"names": 7}')
    const file = createSharedDocuments(createDocuments({ sql })).open('a', schema)
    await expect(file.load()).rejects.toThrow('The document a of the shared database is damaged.')
    await expect(file.update(() => ({ names: [] }))).rejects.toThrow('damaged')
    expect((await createDocuments({ sql }).load('a'))?.content).toBe('{"names": 7}')
  })
})
