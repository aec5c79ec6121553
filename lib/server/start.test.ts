import { expect, it } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { toOpenProblem } from './start.ts'

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

it('a read-only folder is said to be one, and a file that cannot be opened is named', () => {
  const readOnly = Object.assign(new Error('EROFS: read-only file system, access /x'), {
    code: 'EROFS',
  })
  expect(toOpenProblem(readOnly).message).toBe('The data folder is not writable.')
  const cause = new Error('IO Error: Cannot open file "/x": Permission denied')
  const file = new AppError('not_ready', 'The archive file cannot be opened or created.', { cause })
  expect(toOpenProblem(file)).toBe(file)
})

it('a full disk is said to be one, also where the engine took the file for damaged', () => {
  const cause = new Error('IO Error: Could not write file "/x": No space left on device')
  const damaged = new AppError('not_ready', 'The archive file is damaged.', { cause })
  expect(toOpenProblem(damaged).message).toBe('The disk of the data folder is full.')
})
