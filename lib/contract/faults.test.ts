import { expect, it, vi } from 'vitest'
import { AppError, toAppError } from './faults.ts'

it('an error of one copy of this file leaves through another with its status and message', async () => {
  vi.resetModules()
  const copy = await import('./faults.ts')
  expect(copy.AppError).not.toBe(AppError)
  const error = new copy.AppError('not_ready', 'The archive file is in use by another process.')
  expect(toAppError(error)).toBe(error)
  expect(error).toBeInstanceOf(AppError)
})

it.each([new Error('boom'), 'boom', null, { fault: 'busy', message: 'boom' }])(
  'what is no error of ours leaves without its text: %s',
  (thrown) => {
    expect(toAppError(thrown)).toMatchObject({ fault: 'internal', status: 500 })
    expect(toAppError(thrown).message).not.toContain('boom')
  },
)
