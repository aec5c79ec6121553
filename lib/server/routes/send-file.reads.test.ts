import { createReadStream, mkdtempSync, read, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createLimitedReads } from './send-file.ts'

const CONTENT = Buffer.alloc(300_000, 'abcdefg')

function makeFile(): string {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-reads-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const path = join(dir, 'file')
  writeFileSync(path, CONTENT)
  return path
}

test('many files read at once come whole, parts of them too, though only so many reads are under way', async () => {
  const path = makeFile()
  let [under, most] = [0, 0]
  const fs = createLimitedReads(2, (fd, bytes, offset, length, position, done) => {
    under += 1
    most = Math.max(most, under)
    read(fd, bytes, offset, length, position, (...result) => {
      under -= 1
      done(...result)
    })
  })
  const files = Array.from({ length: 50 }, (_, start) =>
    buffer(createReadStream(path, { start, fs, highWaterMark: 16_384 })),
  )
  for (const [start, bytes] of (await Promise.all(files)).entries()) {
    expect(bytes.equals(CONTENT.subarray(start))).toBe(true)
  }
  expect(most).toBe(2)
})

test('a read that fails, and a file that is left in the middle, give their place to others', async () => {
  const path = makeFile()
  const fs = createLimitedReads(1)
  const broken = createReadStream(tmpdir(), { fs })
  await expect(buffer(broken)).rejects.toThrow(/EISDIR/)
  const left = createReadStream(path, { fs, highWaterMark: 1000 })
  left.once('data', () => left.destroy())
  const whole = await buffer(createReadStream(path, { fs }))
  expect(whole.equals(CONTENT)).toBe(true)
})
