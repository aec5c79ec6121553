import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toSha256 } from '#testing/nodes/edition-nodes.ts'
import { openOwnStore, seizeLease, type TestStore } from '#testing/store/open-store.ts'
import { connectForTest } from '#testing/store/test-store.ts'
import type { Database } from './connection.ts'
import {
  EMPTY_EDITIONS,
  type ListedEdition,
  PART_BYTES,
  publishEditions,
  readEditionFile,
  selectEditions,
} from './edition-files.ts'
import { listen } from './notices.ts'

const toBytes = (length: number, seed: number) =>
  Buffer.alloc(length, `${seed},AAPL,${seed * 7919},Hold\n`)

async function makeEdition(name: string, bytes: Buffer): Promise<ListedEdition> {
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-edition-files-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const path = join(dir, `${name}.csv`)
  await writeFile(path, bytes)
  const sidecar = JSON.stringify({ name, text: 'ein "Text" \u0000 é\n' })
  return { name, path, sidecar, sha256: toSha256(bytes), bytes: bytes.length }
}

async function readAll(sql: Database, edition: ListedEdition, from = 0): Promise<Buffer> {
  const blocks: Buffer[] = []
  for await (const block of readEditionFile(sql, edition, from)) blocks.push(block)
  return Buffer.concat(blocks)
}

const countParts = async (sql: Database, sha256: string) =>
  (await sql`select 1 from bellwether.edition_part where sha256 = ${sha256}`).length

const toNames = ({ editions }: { editions: readonly { name: string }[] }) =>
  editions.map(({ name }) => name)

describe('a list of editions that is published', () => {
  it.each([0, 1, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 4 * PART_BYTES, 9 * PART_BYTES + 5])(
    'is read as it was, with a file of %i bytes',
    async (length) => {
      const sql = await connectForTest()
      const lease = await seizeLease(sql, 'leader')
      const bytes = toBytes(length, 3)
      const edition = await makeEdition('posts-2026-11-15', bytes)
      const { state } = await publishEditions(sql, lease, [edition], { known: EMPTY_EDITIONS })
      const { path: _, ...shared } = edition
      expect(await selectEditions(sql)).toEqual({ ...state, editions: [shared] })
      expect(state.version).toBe(1)
      expect((await readAll(sql, edition)).equals(bytes)).toBe(true)
      const rest = await readAll(sql, edition, 1)
      expect(rest.equals(bytes.subarray(PART_BYTES))).toBe(true)
    },
  )

  it('sends a file once, tells each change, and removes what nothing names any more', async () => {
    const sql = await connectForTest()
    const lease = await seizeLease(sql, 'leader')
    const heard: string[] = []
    const end = await listen(
      sql,
      (notice) => void heard.push(notice),
      () => {},
    )
    const old = await makeEdition('posts-2026-11-15', toBytes(3 * PART_BYTES, 1))
    const first = await publishEditions(sql, lease, [old], { known: EMPTY_EDITIONS })
    const same = { ...old, name: 'posts-2026-11-22', path: '/nowhere' }
    const second = await publishEditions(sql, lease, [old, same], { known: first.state })
    expect(second.unread).toEqual([])
    const again = await publishEditions(sql, lease, [same, old], { known: second.state })
    expect(again.state).toEqual(second.state)
    const next = await makeEdition('posts-2026-11-29', toBytes(PART_BYTES, 2))
    const third = await publishEditions(sql, lease, [next], { known: again.state })
    expect(third.state.version).toBe(3)
    expect(await sql`select sha256 from bellwether.edition_file`).toHaveLength(1)
    expect(await countParts(sql, old.sha256)).toBe(0)
    await expect.poll(() => heard).toEqual(['edition', 'edition', 'edition'])
    await end()
  })

  it('is refused where it is not the one that this node knows, but not where the database lost it', async () => {
    const sql = await connectForTest()
    const lease = await seizeLease(sql, 'leader')
    const mine = await makeEdition('posts-2026-11-22', toBytes(10, 1))
    const first = await publishEditions(sql, lease, [mine], { known: EMPTY_EDITIONS })
    const blind = publishEditions(sql, lease, [], { known: EMPTY_EDITIONS })
    await expect(blind).rejects.toMatchObject({ fault: 'not_ready' })
    const second = await publishEditions(sql, lease, [], { known: first.state })
    await sql`update bellwether.edition_state set version = 1, mark = ${first.state.mark}`
    const third = await publishEditions(sql, lease, [mine], { known: second.state })
    expect(third.state.mark).not.toBe(second.state.mark)
    expect(toNames(await selectEditions(sql))).toEqual([mine.name])
  })
})

describe('publishing that is interrupted leaves the list as it was', () => {
  async function prepare(store?: TestStore) {
    const sql = store?.connect() ?? (await connectForTest())
    const lease = await seizeLease(sql, 'leader')
    const old = await makeEdition('posts-2026-11-15', toBytes(10, 1))
    const { state } = await publishEditions(sql, lease, [old], { known: EMPTY_EDITIONS })
    const large = await makeEdition('posts-2026-11-22', toBytes(40 * PART_BYTES, 2))
    return { sql, lease, old, large, known: state, listing: [old, large] }
  }

  const untilSome = async (sql: Database, sha256: string) =>
    await expect.poll(() => countParts(sql, sha256), { interval: 2 }).toBeGreaterThan(3)

  it('by whoever gives it up; what was sent is sent anew', async () => {
    const { sql, lease, old, large, known, listing } = await prepare()
    const given = new AbortController()
    const cut = publishEditions(sql, lease, listing, { known, signal: given.signal })
    const isCut = expect(cut).rejects.toThrow('given up')
    await untilSome(sql, large.sha256)
    given.abort(new Error('given up'))
    await isCut
    expect(await selectEditions(sql)).toMatchObject({ ...known, editions: [{ name: old.name }] })
    const parts = await countParts(sql, large.sha256)
    expect(parts).toBeLessThan(40)
    await sql`update bellwether.edition_part set content = 'x' where sha256 = ${large.sha256}`
    await publishEditions(sql, lease, listing, { known })
    expect(toSha256(await readAll(sql, large))).toBe(large.sha256)
  })

  it('by another node that leads now', async () => {
    const { sql, lease, large, known, listing } = await prepare()
    const cut = publishEditions(sql, lease, listing, { known })
    const isCut = expect(cut).rejects.toThrow('Another node is syncing.')
    await untilSome(sql, large.sha256)
    const next = await seizeLease(sql, 'next')
    await isCut
    expect(await selectEditions(sql)).toMatchObject(known)
    const { state } = await publishEditions(sql, next, listing, { known })
    expect(state.version).toBe(known.version + 1)
    expect(toSha256(await readAll(sql, large))).toBe(large.sha256)
  })

  it('by a database that is killed', async () => {
    const store = await openOwnStore()
    onTestFinished(store.close)
    const { sql, lease, large, known, listing } = await prepare(store)
    const cut = publishEditions(sql, lease, listing, { known })
    const isCut = expect(cut).rejects.toThrow()
    await untilSome(sql, large.sha256)
    await store.server.kill()
    await isCut
    await store.server.start()
    expect(await selectEditions(sql)).toMatchObject(known)
    await publishEditions(sql, lease, listing, { known })
    expect(toSha256(await readAll(sql, large))).toBe(large.sha256)
  })
})
