import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isDiskFull, selectDiskFault } from './disk-faults.ts'
import { AppError, toAppError } from './faults.ts'

const systemError = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: as the system says it, ${syscall} '/x'`), { code, syscall })

const FULL = 'The disk of the data folder is full.'
const READ_ONLY = 'The data folder is not writable.'

it.each([
  ['ENOSPC', 'write', FULL],
  ['EDQUOT', 'open', FULL],
  ['EROFS', 'mkdir', READ_ONLY],
  ['EACCES', 'open', READ_ONLY],
  ['EPERM', 'rename', READ_ONLY],
])('%s of a %s is an outage with the reason of the disk', (code, syscall, reason) => {
  const error = systemError(code, syscall)
  expect(toAppError(error)).toMatchObject({ fault: 'not_ready', status: 503, message: reason })
  const wrapped = new Error('the record was not written', { cause: error })
  expect(toAppError(wrapped)).toMatchObject({ status: 503, message: reason, cause: wrapped })
  const ours = new AppError('internal', 'The ledger cannot be written.', { cause: error })
  expect(toAppError(ours)).toMatchObject({ status: 503, message: reason })
  expect(toAppError(new Error(error.message)).message).toBe(reason)
})

it.each([
  ['IO Error: Could not write file "/x": No space left on device', FULL],
  ['IO Error: Could not write file "/x": Disk quota exceeded', FULL],
  ['IO Error: Cannot open file "/x": Read-only file system', READ_ONLY],
  ['IO Error: Cannot open file "/x": Permission denied', READ_ONLY],
  ['FATAL Error: … Original error: "Could not write file: No space left on device"', FULL],
])('the text of DuckDB is read: %s', (text, reason) => {
  expect(toAppError(new Error(text))).toMatchObject({ status: 503, message: reason })
  expect(selectDiskFault(text)?.reason).toBe(reason)
})

it.each([
  ['53100', 'full', 'The disk of the shared database is full.'],
  ['25006', 'read_only', 'The shared database is read-only at this address.'],
])('%s of PostgreSQL is %s', (code, kind, reason) => {
  const error = Object.assign(new Error('could not extend file: No space left'), { code })
  expect(selectDiskFault(error)).toEqual({ kind, reason })
  expect(isDiskFull(error)).toBe(kind === 'full')
})

it.each([
  ['a port that may not be used', systemError('EACCES', 'listen')],
  ['an address that may not be reached', systemError('EPERM', 'connect')],
  ['a program that may not be run', systemError('EACCES', 'spawn git')],
  ['a folder that may not be listed', systemError('EACCES', 'scandir')],
  ['a missing file', systemError('ENOENT', 'open')],
  ['a symbol of that name', new Error('no symbol EPERM, EACCES or EROFSX')],
  ['a right in a database', Object.assign(new Error('permission denied'), { code: '42501' })],
  ['no error', null],
])('%s is no fault of the disk', (_, error) => {
  expect(selectDiskFault(error)).toBeNull()
  expect(toAppError(error).fault).toBe('internal')
})

it('an answer that was meant for the client stays, whatever caused it', () => {
  const busy = new AppError('busy', 'Too many.', { cause: systemError('ENOSPC', 'write') })
  expect(toAppError(busy)).toBe(busy)
})

it('a full device is recognized', ({ skip }) => {
  try {
    writeFileSync('/dev/full', 'x')
  } catch (error) {
    return expect(toAppError(error).message).toBe(FULL)
  }
  skip()
})
