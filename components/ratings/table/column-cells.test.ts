import { describe, expect, it } from 'vitest'
import { toExpiry } from './column-cells.tsx'

const DAY = 86_400
const NOW = 1_795_000_000
const SEEN = { asOf: NOW, zone: 'UTC' }
const text = (expiredAt: number | null, state: 'active' | 'expired' | null) =>
  toExpiry({ expired_at: expiredAt, state, vanished_at: null }, SEEN).text

describe('when a rating expires', () => {
  it('is said from the instant that the answer was made at, not from the reader’s clock', () => {
    expect(text(NOW + 12 * DAY, 'active')).toBe('in 12 d')
    expect(text(NOW - 100 * DAY, 'expired')).toBe('3 mo ago')
    expect(
      toExpiry({ expired_at: NOW - DAY, state: 'expired', vanished_at: null }, SEEN).spoken,
    ).toBe('expired')
  })

  it('a rating that its user replaced is not said to expire in the future', () => {
    expect(text(NOW + 12 * DAY, 'expired')).toBe('replaced')
    expect(text(null, 'expired')).toBe('replaced')
  })

  it('a rating without an expiry is no rating of 1970', () => {
    expect(text(null, 'active')).toBe('–')
  })

  it('a rating that the service dropped is said to be gone, since when, and what was foreseen', () => {
    const gone = { expired_at: NOW + 12 * DAY, state: 'expired', vanished_at: NOW - DAY } as const
    const since = 'No longer listed by the service since 2026-11-17 11:06 UTC'
    const { title, ...said } = toExpiry(gone, SEEN)
    expect(said).toEqual({ text: 'gone', spoken: since, at: null })
    expect(title).toMatch(`${since}. Foreseen: 2026-11-30`)
    const expired = { ...gone, expired_at: NOW - 100 * DAY }
    expect(toExpiry(expired, SEEN)).toMatchObject({ text: 'gone', spoken: since })
  })

  it('a foreseen end that did not come is told in the zone of the page, which is named', () => {
    const replaced = { expired_at: NOW + 12 * DAY, state: 'expired', vanished_at: null } as const
    expect(toExpiry(replaced, SEEN).title).toMatch(/Foreseen: 2026-11-30 \d\d:\d\d UTC$/)
    const eastern = { asOf: NOW, zone: 'America/New_York' }
    expect(toExpiry(replaced, eastern).title).toMatch(/Foreseen: 2026-11-30 \d\d:\d\d ET$/)
  })
})
