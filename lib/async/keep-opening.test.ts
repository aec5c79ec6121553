import { expect, it, vi } from 'vitest'
import { keepOpening } from './keep-opening.ts'

const full = new Error('no space left')

it('what could not be opened is opened without a restart once it can be', async () => {
  const open = vi.fn(async () => 'open').mockRejectedValueOnce(full)
  let wake = () => {}
  const rest = () => new Promise<void>((resolve) => (wake = resolve))
  const opening = keepOpening(open, { rest, onProblem: () => {} })
  await expect(opening.current()).rejects.toBe(full)
  await expect(opening.current()).rejects.toBe(full)
  expect(open).toHaveBeenCalledTimes(1)
  wake()
  await expect.poll(() => opening.current()).toBe('open')
  expect(open).toHaveBeenCalledTimes(2)
})

it('a failure that lasts is told once, another one again', async () => {
  const damaged = new Error('damaged')
  const problems: unknown[] = []
  const attempts = [full, full, damaged, full]
  const open = async () => {
    const failure = attempts.shift()
    if (failure) throw failure
  }
  const opening = keepOpening(open, {
    rest: async () => {},
    onProblem: (error) => problems.push(error),
  })
  await expect.poll(() => opening.current()).toBeUndefined()
  expect(problems).toEqual([full, damaged, full])
})

it('nothing is tried after it was given up', async () => {
  const open = vi.fn().mockRejectedValue(full)
  const opening = keepOpening(open, { rest: async () => {}, onProblem: () => opening.giveUp() })
  await expect(opening.current()).rejects.toBe(full)
  await new Promise(setImmediate)
  expect(open).toHaveBeenCalledTimes(1)
})

it('what broke is closed once and opened again, and whoever asks meanwhile is told why', async () => {
  const broke = new Error('a part of the file is damaged')
  const opened: number[] = []
  const open = async () => opened.push(opened.length + 1)
  const problems: unknown[] = []
  const opening = keepOpening(open, {
    rest: async () => {},
    onProblem: (error) => problems.push(error),
  })
  expect(await opening.current()).toBe(1)
  let finish = () => {}
  const closed: number[] = []
  const close = (one: number) =>
    new Promise<void>((resolve) => {
      closed.push(one)
      finish = resolve
    })
  await new Promise(setImmediate)
  opening.reopen(broke, close)
  opening.reopen(broke, close)
  await expect(opening.current()).rejects.toBe(broke)
  await expect.poll(() => closed).toEqual([1])
  expect(opened).toEqual([1])
  finish()
  await expect.poll(() => opening.current()).toBe(2)
  expect(problems).toEqual([broke])
})

it('what broke and cannot be opened again is tried until it can', async () => {
  let attempts = 0
  const open = async () => {
    attempts += 1
    if (attempts === 2) throw full
    return attempts
  }
  const opening = keepOpening(open, { rest: async () => {}, onProblem: () => {} })
  expect(await opening.current()).toBe(1)
  await new Promise(setImmediate)
  opening.reopen(full, async () => {
    throw new Error('it cannot be closed')
  })
  await expect.poll(() => opening.current()).toBe(3)
})
