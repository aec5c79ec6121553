import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type FaultPoint, failEachCall } from './fault-loop.ts'

const failures = [() => new Error('no space'), () => new Error('no such file')]

test('each call fails once, and the first run fails at none', async () => {
  const failed: (number | null)[] = []
  const run = async ({ failing, guard }: FaultPoint) => {
    failed.push(failing)
    const work = guard(async (n: number) => n)
    for (let n = 0; n < 4; n += 1) await work(n).catch(() => null)
  }
  const result = await failEachCall({ run, failures, seed: 1 })
  expect(result).toEqual({ calls: 4, unreached: [] })
  expect(failed).toEqual([null, 1, 2, 3, 4])
})

test('of many calls as many fail as were asked for, the same ones for the same seed', async () => {
  const draw = async (seed: number) => {
    const failed: number[] = []
    const run = async (point: FaultPoint) => {
      if (point.failing !== null) failed.push(point.failing)
      for (let n = 0; n < 100; n += 1) {
        try {
          point.pass()
        } catch {}
      }
    }
    await failEachCall({ run, failures, seed, most: 5 })
    return failed
  }
  expect(await draw(7)).toHaveLength(5)
  expect(await draw(7)).toEqual(await draw(7))
  expect(await draw(7)).not.toEqual(await draw(8))
})

test('a call that a run never comes to is named, and so is one that it does not get over', async () => {
  const shorter = async ({ failing, guard }: FaultPoint) => {
    const work = guard(async () => undefined)
    for (let n = 0; n < (failing === null ? 3 : 1); n += 1) await work().catch(() => undefined)
  }
  const { unreached } = await failEachCall({ run: shorter, failures, seed: 1 })
  expect(unreached).toEqual([2, 3])
  const careless = async ({ guard }: FaultPoint) => {
    await guard(async () => undefined)()
  }
  await expect(failEachCall({ run: careless, failures, seed: 1 })).rejects.toThrow('call 1 of 1')
})

test('files: a value that is written beside and renamed is the old or the new one, whichever call fails', async () => {
  const run = async ({ guard }: FaultPoint) => {
    const dir = await mkdtemp(join(tmpdir(), 'fault-loop-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    const path = join(dir, 'value')
    await writeFile(path, 'old')
    const write = guard((to: string, text: string) => writeFile(to, text))
    const move = guard((from: string, to: string) => rename(from, to))
    const isDone = await write(`${path}.next`, 'new')
      .then(() => move(`${path}.next`, path))
      .then(() => true)
      .catch(() => false)
    expect(await readFile(path, 'utf8')).toBe(isDone ? 'new' : 'old')
    expect(await readdir(dir)).toContain('value')
  }
  expect(await failEachCall({ run, failures, seed: 3 })).toEqual({ calls: 2, unreached: [] })
})
