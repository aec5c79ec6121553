import { describe, expect, it } from 'vitest'
import { toExpiry } from './expiry.ts'

const DAY = 86_400
const NOW = 1_795_000_000
const text = (expiredAt: number | null, state: 'active' | 'expired' | null) =>
  toExpiry({ expired_at: expiredAt, state }, NOW).text

describe('when a rating lapses', () => {
  it('is said from the instant that the answer was made at, not from the reader’s clock', () => {
    expect(text(NOW + 12 * DAY, 'active')).toBe('in 12 d')
    expect(text(NOW - 100 * DAY, 'expired')).toBe('3 mo ago')
    expect(toExpiry({ expired_at: NOW - DAY, state: 'expired' }, NOW).spoken).toBe('expired')
  })

  it('a rating that its member replaced is not said to lapse in the future', () => {
    expect(text(NOW + 12 * DAY, 'expired')).toBe('replaced')
    expect(text(null, 'expired')).toBe('replaced')
  })

  it('a rating without an expiry is no rating of 1970', () => {
    expect(text(null, 'active')).toBe('–')
  })
})
