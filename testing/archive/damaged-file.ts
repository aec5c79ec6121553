import { createHash } from 'node:crypto'
import { copyFile, mkdir, open, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Archive } from '#lib/archive/archive.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { START } from './arbitrary.ts'
import { streamRatings } from './stream-ratings.ts'

export async function readAll(archive: Archive): Promise<{ rows: number; sha256: string }> {
  const lines: string[] = []
  for await (const rows of streamRatings(archive, EVERY_RATING, { at: START })) {
    lines.push(...rows.map((row) => JSON.stringify(row)))
  }
  const sha256 = createHash('sha256').update(lines.sort().join('\n')).digest('hex')
  return { rows: lines.length, sha256 }
}

export async function copyArchive(path: string, dir: string): Promise<string> {
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir)
  const copy = join(dir, 'archive.db')
  await copyFile(path, copy)
  await copyFile(`${path}.wal`, `${copy}.wal`).catch(() => undefined)
  return copy
}

export type Damage = 'a flipped bit' | 'a page of zeros' | 'a truncation'

const PAGE_BYTES = 4096

/** Hits the head of the file as often as the rest. */
export async function damage(path: string, random: () => number): Promise<[Damage, number]> {
  const { size } = await stat(path)
  const reach = random() < 0.3 ? Math.min(size, 3 * PAGE_BYTES) : size
  const at = Math.floor(random() * reach)
  const kind = random()
  if (kind < 0.2) {
    await truncate(path, at)
    return ['a truncation', at]
  }
  const file = await open(path, 'r+')
  try {
    if (kind < 0.4) {
      const from = at - (at % PAGE_BYTES)
      const length = Math.min(PAGE_BYTES, size - from)
      await file.write(Buffer.alloc(length), 0, length, from)
      return ['a page of zeros', from]
    }
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
    await file.write(Buffer.from([(buffer[0] ?? 0) ^ (1 << Math.floor(random() * 8))]), 0, 1, at)
    return ['a flipped bit', at]
  } finally {
    await file.close()
  }
}
