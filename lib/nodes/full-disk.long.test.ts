import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toStoreError } from '#lib/store/connection.ts'
import { importRows, makeRating } from '#testing/archive/arbitrary.ts'
import { openNode } from '#testing/nodes/shared-archives.ts'
import { openStoreAt, seizeLease, type TestStore } from '#testing/store/open-store.ts'
import { type PostgresServer, startPostgres } from '#testing/store/postgres.ts'

const DISK_BYTES = 100_000_000
const LEFT_BYTES = 500_000
const MANY = 5000

const disk = mkdtempSync(join(tmpdir(), 'bellwether-disk-'))
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk]).status === 0

let server: PostgresServer | undefined
let shared: TestStore | undefined

beforeAll(async () => {
  if (!isMounted) return
  chmodSync(disk, 0o777)
  server = await startPostgres({ within: disk })
  shared = await openStoreAt(await server.database('full'))
})
afterAll(async () => {
  await shared?.close()
  await server?.close()
  if (isMounted) spawnSync('umount', [disk])
  rmSync(disk, { recursive: true, force: true })
})

const toRows = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => makeRating({ id: from + index }))

it('a full disk of the database undoes a commit whole, everywhere, and nothing is missing once there is room', async ({
  skip,
}) => {
  skip(!isMounted, 'only root may mount a disk')
  if (!shared) throw new Error('there is no server')
  const sql = shared.connect()
  const [leader, other] = [await openNode(sql), await openNode(sql)]
  leader.lease = await seizeLease(sql, 'leader')
  await importRows(leader.archive, toRows(1, 100))
  await other.replica.catchUp()

  const ballast = join(disk, 'ballast')
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - LEFT_BYTES))
  const failed = await importRows(leader.archive, toRows(101, MANY)).then(
    () => null,
    (error: unknown) => error,
  )
  expect(toStoreError(failed).message).toBe('The disk of the shared database is full.')
  expect(leader.archive.state()).toMatchObject({ ratings: 100, generation: 1 })
  const counted = await sql`select count(*)::int as ratings from bellwether.rating`
  expect([...counted]).toEqual([{ ratings: 100 }])
  expect(await other.replica.verify()).toEqual([])

  rmSync(ballast)
  expect(await importRows(leader.archive, toRows(101, MANY))).toMatchObject({ inserted: MANY })
  await other.replica.catchUp()
  expect(await leader.closeAndRead()).toEqual(await other.closeAndRead())
  await Promise.all([leader.remove(), other.remove()])
})
