import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { seizeLease } from '#testing/store/open-store.ts'
import { connectForTest } from '#testing/store/test-store.ts'
import { EMPTY_EDITIONS, publishEditions, readEditionFile } from './edition-files.ts'

it('200 MB go to the database and come back within 200 MB of memory', async () => {
  const sql = await connectForTest()
  const lease = await seizeLease(sql, 'leader')
  const lines = Array.from({ length: 40_000 }, (_, id) =>
    [id, (id * 7919) % 100_003, 'AAPL', (id * 104_729) % 99_991, 1_767_225_600 + id * 61].join(','),
  )
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-edition-files-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const path = join(dir, 'posts-2026-11-15.csv')
  const block = Buffer.from(lines.join('\n'))
  const hash = createHash('sha256')
  const times = Math.ceil(200_000_000 / block.length)
  for (let time = 0; time < times; time += 1) {
    hash.update(block)
    await writeFile(path, block, { flag: 'a' })
  }
  const bytes = times * block.length
  const edition = {
    name: 'posts-2026-11-15',
    path,
    sidecar: '{}',
    sha256: hash.digest('hex'),
    bytes,
  }
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 5)
  await publishEditions(sql, lease, [edition], { known: EMPTY_EDITIONS })
  const came = createHash('sha256')
  for await (const part of readEditionFile(sql, edition, 0)) came.update(part)
  clearInterval(watch)
  expect(came.digest('hex')).toBe(edition.sha256)
  const grown = Math.round((most - before) / 1_000_000)
  expect(grown).toBeLessThan(200)
})
