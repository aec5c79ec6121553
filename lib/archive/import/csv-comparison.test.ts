import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openComparison } from './csv-comparison.ts'

const dir = mkdtempSync(join(tmpdir(), 'bellwether-comparison-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const { signal } = new AbortController()

async function isTaken(text: string | Buffer): Promise<boolean> {
  const path = join(dir, 'file.csv')
  writeFileSync(path, text)
  const comparison = await openComparison({
    names: ['id', 'a'],
    spillPath: join(dir, 'spill'),
    signal,
  })
  try {
    return await comparison.read('before', path)
  } finally {
    await comparison.close()
  }
}

test.each([
  ['is plain', 'id,a\n1,x\n2,\n'],
  ['has other columns, in another order', 'b,a,c,id\n1,x,2,3\n'],
  ['ends its lines with CRLF', 'id,a\r\n1,x\r\n'],
  ['does not end its last line', 'id,a\n1,x'],
  ['has no record', 'id,a\n'],
  ['holds letters of any alphabet', 'id,a\n1,é漢😀\n'],
  ['holds what other files have between cells', 'id,a\n1,x;y|\tz\n'],
  ['has columns that differ in case only', 'id,a,A\n1,x,y\n'],
])('a file that %s is read by the database', async (_what, text) => {
  expect(await isTaken(text)).toBe(true)
})

test.each([
  ['has a quote', 'id,a\n1,"x"\n'],
  ['has a cell too many that is empty', 'id,a\n1,x,\n'],
  ['lacks a cell', 'id,a\n1\n'],
  ['has an empty line', 'id,a\n\n1,x\n'],
  ['mixes its line ends', 'id,a\n1,x\r\n'],
  ['begins with a byte order mark', '\ufeffid,a\n1,x\n'],
  ['lacks a column that was said to be there', 'id,b\n1,x\n'],
  ['names a column twice', 'id,a,a\n1,x,y\n'],
  ['has another delimiter', 'id;a\n1;x\n'],
  ['holds what no line does', 'id,a\n1,x\u001fy\n'],
  ['is no UTF-8', Buffer.from([0x69, 0x64, 0x2c, 0x61, 0x0a, 0x31, 0x2c, 0xff, 0x0a])],
  ['has a line longer than the database reads', `id,a\n1,${'x'.repeat(2_200_000)}\n`],
])('a file that %s is left to be appended', async (_what, text) => {
  expect(await isTaken(text)).toBe(false)
})
