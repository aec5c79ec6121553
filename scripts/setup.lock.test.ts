import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withLock } from './setup.mjs'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bellwether-lock-'))
  file = join(folder, 'deep/work.lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('of many at once one works at a time, and all get their turn', async () => {
  let inside = 0
  const turns: number[] = []
  const work = async (turn: number) => {
    inside += 1
    expect(inside).toBe(1)
    await Promise.resolve()
    turns.push(turn)
    inside -= 1
  }
  await Promise.all([1, 2, 3, 4].map((turn) => withLock(file, () => work(turn), { pollMs: 1 })))
  expect(turns.sort()).toEqual([1, 2, 3, 4])
  expect(existsSync(file)).toBe(false)
})

it('work that fails gives the lock back', async () => {
  const failing = withLock(file, () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  await expect(withLock(file, () => 'free')).resolves.toBe('free')
})

it('the lock of a process that died is taken over', async () => {
  await withLock(file, () => undefined)
  writeFileSync(file, '1\n')
  utimesSync(file, new Date(0), new Date(0))
  let waited = 0
  const onWait = () => {
    waited += 1
  }
  await expect(withLock(file, () => 'taken', { onWait })).resolves.toBe('taken')
  expect(waited).toBe(1)
})
