import { expect, test } from 'vitest'
import { formatRelative } from './relative.ts'

const at = (iso: string) => Date.parse(iso) / 1000

test('distances are told in one unit and never rounded up', () => {
  const now = at('2026-11-20T12:00:00Z')
  expect(formatRelative(now, now)).toBe('just now')
  expect(formatRelative(now + 30, now)).toBe('in a moment')
  expect(formatRelative(now - 179, now)).toBe('2 min ago')
  expect(formatRelative(now + 12 * 86_400 + 5, now)).toBe('in 12 d')
  expect(formatRelative(now + 100 * 86_400, now)).toBe('in 3 mo')
  expect(formatRelative(now - 800 * 86_400, now)).toBe('2 y ago')
})
