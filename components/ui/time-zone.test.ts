import { expect, test } from 'vitest'
import { toOwnZone } from './time-zone.ts'

test('the browser’s zone is used only if it has a name', () => {
  expect(toOwnZone(undefined)).toBeNull()
  expect(toOwnZone('Etc/Unknown')).toBeNull()
  expect(toOwnZone('+05:30')).toBeNull()
  expect(toOwnZone('Etc/UTC')).toBe('UTC')
  expect(toOwnZone('Europe/Berlin')).toBe('Europe/Berlin')
})
