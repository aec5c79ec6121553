import { readFile, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DUMP_KINDS } from '#lib/contract/weekly-clock.ts'
import type { Database } from '#lib/store/connection.ts'
import { PART_BYTES, selectEditions } from '#lib/store/edition-files.ts'
import type { Lease } from '#lib/store/lease.ts'
import { nodeDisk } from '#lib/sync/disk.ts'
import { draws } from '#testing/draws.ts'
import { openTestNode, putEdition, readFolder, toSha256 } from '#testing/nodes/edition-nodes.ts'
import { openOwnStore, seizeLease } from '#testing/store/open-store.ts'
import { connectForTest } from '#testing/store/test-store.ts'
import { createFailingDisk } from '#testing/sync/edition-store.ts'
import { makeFolder } from '#testing/sync/scripted-service.ts'

const never = () => new AbortController().signal
const toBytes = (length: number, seed: number) => Buffer.alloc(length, `${seed},AAPL,${seed}\n`)

type Node = Awaited<ReturnType<typeof openTestNode>>

async function publish({ editions, copies }: Node, lease: Lease): Promise<boolean> {
  await editions.reload()
  return await copies.publish(lease)
}

async function lead(sql: Database) {
  const lease = await seizeLease(sql, 'leader')
  const leader = await openTestNode(sql)
  const { dir } = leader
  await putEdition(dir, { week: 1, bytes: toBytes(300, 1) })
  const current = await putEdition(dir, { week: 2, bytes: toBytes(5 * PART_BYTES + 9, 2) })
  await putEdition(dir, { kind: 'lookups', week: 2, bytes: toBytes(70, 3) })
  await putEdition(dir, { week: 3, bytes: toBytes(200, 4), reason: 'It shrank.' })
  await publish(leader, lease)
  return { leader, lease, current }
}

describe('a folder of editions', () => {
  it('of the first leader is published, not emptied by a database in which nobody has published', async () => {
    const sql = await connectForTest()
    const lease = await seizeLease(sql, 'leader')
    const first = await openTestNode(sql)
    await putEdition(first.dir, { week: 1, bytes: toBytes(300, 1) })
    await first.editions.reload()
    const without = await openTestNode(sql)
    expect(await without.copies.publish(lease)).toBe(false)
    expect(await first.copies.follow(never())).toBe(false)
    expect(await first.copies.publish(lease)).toBe(true)
    expect((await selectEditions(sql)).editions).toHaveLength(1)
  })

  it('of a new leader holds what the old one had, and is not published before it does', async () => {
    const sql = await connectForTest()
    const { leader } = await lead(sql)
    const lease = await seizeLease(sql, 'next')
    const next = await openTestNode(sql)
    await expect(next.copies.publish(lease)).rejects.toThrow('have not been copied yet')
    await next.copies.follow(never())
    await putEdition(next.dir, { week: 4, bytes: toBytes(400, 5) })
    expect(await publish(next, lease)).toBe(true)
    await leader.copies.follow(never())
    expect(await readFolder(leader.dir)).toEqual(await readFolder(next.dir))
    expect(Object.keys(await readFolder(leader.dir))).toHaveLength(10)
  })

  it('whose leader lost a file has it again from the others, and none of them loses it', async () => {
    const sql = await connectForTest()
    const { leader, lease, current } = await lead(sql)
    const before = await readFolder(leader.dir)
    const { path } = leader.editions.current('posts') ?? { path: '' }
    await rm(path)
    await leader.editions.ensure('posts')
    expect(leader.editions.current('posts')?.sha256).not.toBe(current.sha256)
    await leader.copies.publish(lease)
    expect(leader.editions.current('posts')?.sha256).toBe(current.sha256)
    expect(await readFolder(leader.dir)).toEqual(before)
    expect((await selectEditions(sql)).version).toBe(1)
  })
})

type Change = { what: 'add' | 'aside' | 'accept' | 'remove' | 'note'; week: number; seed: number }

const aChange = fc.record<Change>({
  what: fc.constantFrom('add', 'add', 'aside', 'accept', 'remove', 'note'),
  week: fc.integer({ min: 1, max: 6 }),
  seed: fc.integer({ min: 1, max: 3 }),
})
const aMove = fc.oneof(
  aChange,
  fc.constant('publish' as const),
  fc.constantFrom('first' as const, 'second' as const),
)

async function applyChange({ editions, dir }: Node, { what, week, seed }: Change): Promise<void> {
  const bytes = toBytes(seed === 3 ? PART_BYTES + week : 1000, seed)
  if (what === 'add') await putEdition(dir, { week, bytes })
  else if (what === 'aside') await editions.holdBack('posts', `It shrank to ${seed}.`)
  else if (what === 'accept') await editions.accept('posts')
  else {
    const found = (await editions.folder.load())[week % 3]
    if (!found) return
    const { kept } = found
    if (what === 'remove') await editions.folder.remove(kept)
    else await editions.folder.place({ kept, sidecar: `${found.sidecar} ` }, null)
  }
  const paths = (await editions.folder.load()).map(({ kept }) => kept.path)
  await editions.folder.keepOnly(new Set(paths), DUMP_KINDS)
  await editions.reload()
}

it('random changes of a leader reach two followers to the byte, whenever these look', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aMove, { minLength: 3, maxLength: 25 }), async (moves) => {
      const sql = await connectForTest(2)
      const lease = await seizeLease(sql, 'leader')
      const [leader, first, second] = [
        await openTestNode(sql),
        await openTestNode(sql),
        await openTestNode(sql),
      ]
      for (const move of moves) {
        if (move === 'publish') await leader.copies.publish(lease)
        else if (move === 'first') await first.copies.follow(never())
        else if (move === 'second') await second.copies.follow(never())
        else await applyChange(leader, move)
      }
      await leader.copies.publish(lease)
      const expected = await readFolder(leader.dir)
      const all = (await leader.editions.listing()).flatMap(({ path }) => [
        path.slice(leader.dir.length + 1),
        path.slice(leader.dir.length + 1).replace('.csv', '.json'),
      ])
      expect(Object.keys(expected).sort()).toEqual(all.sort())
      for (const follower of [first, second]) {
        await follower.copies.follow(never())
        expect(await readFolder(follower.dir)).toEqual(expected)
      }
      await sql.end({ timeout: 1 })
    }),
    { numRuns: draws(40) },
  )
})

describe('a shared file that is damaged', () => {
  it.each([
    ['holds other bytes', `update bellwether.edition_part set content = content || 'x'::bytea`],
    ['lacks a part', 'delete from bellwether.edition_part'],
  ])('since it %s is refused and not placed, and all others are', async (_, damage) => {
    const sql = await connectForTest()
    const { lease, leader, current } = await lead(sql)
    await sql.unsafe(`${damage} where sha256 = '${current.sha256}' and part = 3`)
    const follower = await openTestNode(sql)
    await putEdition(follower.dir, { week: 0, bytes: toBytes(10, 1) })
    await follower.editions.reload()
    const name = basename(leader.editions.current('posts')?.path ?? '', '.csv')
    await expect(follower.copies.follow(never())).rejects.toMatchObject({
      fault: 'not_ready',
      message: `${name} is damaged in the shared database.`,
    })
    const { dir } = follower
    const names = Object.keys(await readFolder(dir))
    expect(names.filter((one) => one.startsWith(name) || one.startsWith('arriving'))).toEqual([])
    expect(names).toHaveLength(8)
    expect(await follower.copies.follow(never())).toBe(false)
    await putEdition(leader.dir, { week: 5, bytes: toBytes(20, 9) })
    await publish(leader, lease)
    await follower.copies.follow(never()).catch(() => undefined)
    expect(follower.editions.current('posts')?.sha256).toBe(toSha256(toBytes(20, 9)))
  })
})

describe('a copying that is killed', () => {
  it('at any step of its disk leaves only whole editions, and is made up for', async () => {
    const sql = await connectForTest()
    const { leader } = await lead(sql)
    const expected = await readFolder(leader.dir)
    let step = 1
    for (let isCut = true; isCut; step += 1) {
      const dir = await makeFolder()
      const stop = { at: Number.POSITIVE_INFINITY, seen: 0 }
      const failing = createFailingDisk(() => {
        stop.seen += 1
        if (stop.seen >= stop.at) throw new Error('killed')
      })
      await putEdition(dir, { week: 2, bytes: toBytes(5 * PART_BYTES + 9, 8) })
      await putEdition(dir, { week: 0, bytes: toBytes(10, 1) })
      const node = await openTestNode(sql, { dir, disk: failing.disk })
      stop.at = stop.seen + step
      isCut = await node.copies.follow(never()).then(
        () => false,
        () => true,
      )
      const after = await openTestNode(sql, { dir })
      for (const { kept } of await after.editions.folder.load()) {
        const sha256 = toSha256(await readFile(kept.path))
        expect(sha256).toBe(kept.sha256)
      }
      await after.copies.follow(never())
      expect(await readFolder(dir)).toEqual(expected)
    }
    expect(step).toBeGreaterThan(20)
  })

  it('in the middle of a file goes on with the parts that it has', async () => {
    const sql = await connectForTest()
    const { leader, current } = await lead(sql)
    const cut = new AbortController()
    let written = 0
    const disk = {
      ...nodeDisk,
      create: async (path: string) => {
        const file = await nodeDisk.create(path)
        const write = async (bytes: Uint8Array) => {
          await file.write(bytes)
          if (path.endsWith(current.sha256)) written += 1
          if (written === 3) cut.abort(new Error('stopped'))
        }
        return { ...file, write }
      },
    }
    const dir = await makeFolder()
    const node = await openTestNode(sql, { dir, disk })
    await expect(node.copies.follow(cut.signal)).rejects.toThrow('stopped')
    expect(node.editions.current('posts')).toBeNull()
    await sql`update bellwether.edition_part set content = 'x'
      where sha256 = ${current.sha256} and part < 3`
    const again = await openTestNode(sql, { dir })
    await again.copies.follow(never())
    expect(await readFolder(dir)).toEqual(await readFolder(leader.dir))
  })

  it('by a database that dies goes on serving, and on with it when it is back', async () => {
    const store = await openOwnStore()
    onTestFinished(store.close)
    const sql = store.connect()
    const { leader, lease } = await lead(sql)
    const follower = await openTestNode(sql)
    await follower.copies.follow(never())
    await putEdition(leader.dir, { week: 4, bytes: toBytes(60 * PART_BYTES, 6) })
    await publish(leader, lease)
    const copied = follower.copies.follow(never())
    const isCut = expect(copied).rejects.toMatchObject({ fault: 'not_ready' })
    const arriving = async () =>
      Object.keys(await readFolder(follower.dir).catch(() => ({}))).some((name) =>
        name.startsWith('arriving'),
      )
    await expect.poll(arriving, { interval: 2 }).toBe(true)
    await store.server.kill()
    await isCut
    const { path = '', sha256 } = follower.editions.current('posts') ?? {}
    expect(toSha256(await readFile(path))).toBe(sha256)
    await store.server.start()
    await follower.copies.follow(never())
    expect(await readFolder(follower.dir)).toEqual(await readFolder(leader.dir))
  })
})

it('a full disk is told as such, leaves no beginning behind, and takes nothing from what is served', async () => {
  const sql = await connectForTest()
  const { leader, lease } = await lead(sql)
  const full = { bytes: Number.POSITIVE_INFINITY, free: 1e12 }
  const disk = {
    ...nodeDisk,
    freeBytes: async () => full.free,
    create: async (path: string) => {
      const file = await nodeDisk.create(path)
      const write = async (bytes: Uint8Array) => {
        full.bytes -= bytes.length
        if (full.bytes < 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
        await file.write(bytes)
      }
      return { ...file, write }
    },
  }
  const node = await openTestNode(sql, { disk })
  await node.copies.follow(never())
  await putEdition(leader.dir, { week: 4, bytes: toBytes(4 * PART_BYTES, 6) })
  await publish(leader, lease)
  const before = await readFolder(node.dir)
  full.bytes = 2 * PART_BYTES
  await expect(node.copies.follow(never())).rejects.toMatchObject({
    fault: 'not_ready',
    message: 'The disk is full. Free some space.',
  })
  expect(await readFolder(node.dir)).toEqual(before)
  full.free = PART_BYTES
  await expect(node.copies.follow(never())).rejects.toThrow('the posts dump needs 4.6 MB')
  expect(await readFolder(node.dir)).toEqual(before)
})
