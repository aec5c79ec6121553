import { cp, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, openService, type TestService } from '#testing/service/open-service.ts'
import { SourceMismatch } from './source.ts'

const source = { kind: 'demo', ratings: 300, seed: 1, tailSeconds: 60 } as const

const readFirst = async (service: TestService) =>
  (await (await service.get('/api/v1/posts')).json()).data

test('a folder keeps its community: another size, seed or kind is refused with the way out', async () => {
  const { dir, close } = await openService({ source })
  await close()
  for (const other of [
    { ...source, ratings: 301 },
    { ...source, seed: 2 },
    { kind: 'csv' as const, posts: 'posts.csv' },
  ]) {
    const opening = openService({ dir, source: other })
    await expect(opening).rejects.toThrow(SourceMismatch)
    await expect(opening).rejects.toThrow(
      /holds a demo community of 300 ratings .* seed 1 .* DATA_DIR/,
    )
  }
  const tailless = await openService({ dir, source: { ...source, tailSeconds: 0 } })
  expect(await readFirst(tailless)).toHaveLength(100)
})

test('a folder that was cut off in the making is made again, to the same community', async () => {
  const service = await openService({ source })
  const rows = await readFirst(service)
  await service.close()
  await rm(join(service.dir, 'source.json'))
  await writeFile(join(service.dir, 'posts.duckdb.wal'), 'half a page')
  expect(await readFirst(await openService({ source, dir: service.dir }))).toEqual(rows)
})

test('ratings that were shown are there after a kill without a goodbye', async () => {
  const service = await openService({ source })
  service.clock.at += 3600
  const rows = await readFirst(service)
  expect(rows[0].id).toBeGreaterThan(300)
  const copy = await makeFolder()
  await cp(service.dir, copy, { recursive: true })
  const again = await openService({ source, dir: copy, at: service.clock.at })
  expect(await readFirst(again)).toEqual(rows)
})

test('what the service keeps is for its owner alone', async () => {
  const dir = join(await makeFolder(), 'service')
  const service = await openService({ source, dir })
  await service.get('/api/v1/posts/dumps', { method: 'HEAD' })
  const toMode = async (name: string) => (await stat(join(dir, name))).mode & 0o777
  expect(await toMode('.')).toBe(0o700)
  expect(await toMode('source.json')).toBe(0o600)
  expect(await toMode('editions')).toBe(0o700)
  expect(await toMode('editions/posts-2026-11-15.csv')).toBe(0o600)
})
