import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { toOpenProblem } from './open-problem.ts'

it('a folder that cannot be opened says why, without a word from outside', () => {
  const full = Object.assign(new Error('ENOSPC: no space left, write /home/x'), { code: 'ENOSPC' })
  expect(toOpenProblem(full)).toMatchObject({
    fault: 'not_ready',
    message: 'The disk of the data folder is full.',
  })
  expect(toOpenProblem(new Error('/home/x')).message).not.toContain('/home')
  const inUse = new AppError('not_ready', 'The archive file is in use by another process.')
  expect(toOpenProblem(inUse)).toBe(inUse)
})

it('the words of the operating system are recognised', () => {
  let thrown: unknown
  try {
    writeFileSync('/dev/full', 'x')
  } catch (error) {
    thrown = error
  }
  if (thrown) expect(toOpenProblem(thrown).message).toMatch(/full|cannot be written to/)
})
