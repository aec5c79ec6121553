import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { StateMark } from '#components/marks/rating-marks.tsx'
import { toExpiry } from './column-cells.tsx'

const DAY = 86_400
const NOW = 1_795_000_000
const SEEN = { asOf: NOW, zone: 'UTC' }
const NEXT = { expired_at: NOW + 12 * DAY, ended: null, vanished_at: null }
const PAST = { ...NEXT, expired_at: NOW - 100 * DAY, ended: 'expired' } as const
const text = (row: Parameters<typeof toExpiry>[0]) => toExpiry(row, SEEN).text

describe('when a rating expires', () => {
  it('is said from the instant that the answer was made at, not from the reader’s clock', () => {
    expect(text(NEXT)).toBe('in 12 d')
    expect(text(PAST)).toBe('3 mo ago')
    expect(toExpiry(NEXT, SEEN).spoken).toBe('expires')
    expect(toExpiry(PAST, SEEN).spoken).toBe('expired')
  })

  it('a rating that its user replaced is not said to expire, be it in the future or the past', () => {
    for (const expired_at of [NOW + 12 * DAY, NOW - DAY, null]) {
      expect(text({ ...NEXT, expired_at, ended: 'renewed' })).toBe('replaced')
    }
  })

  it('a rating without an expiry is no rating of 1970', () => {
    expect(text({ ...NEXT, expired_at: null })).toBe('–')
  })

  it('a rating that the service dropped is said to be so, since when, and what was foreseen', () => {
    const gone = { ...NEXT, ended: 'vanished', vanished_at: NOW - DAY } as const
    const since = 'No longer listed by the service since 2026-11-17 11:06 UTC'
    const { title, ...said } = toExpiry(gone, SEEN)
    expect(said).toEqual({ text: 'no longer listed', spoken: since })
    expect(title).toMatch(`${since}. Expected: 2026-11-30`)
    expect(toExpiry({ ...PAST, vanished_at: NOW - DAY }, SEEN)).toMatchObject({
      text: '3 mo ago',
      title: expect.stringMatching(`UTC. ${since}$`),
    })
    const replaced = { ...gone, ended: 'renewed' } as const
    expect(toExpiry(replaced, SEEN).title).toMatch(since)
  })

  it('a foreseen end that did not come is told in the zone of the page, which is named', () => {
    const replaced = { ...NEXT, ended: 'renewed' } as const
    expect(toExpiry(replaced, SEEN).title).toMatch(/Expected: 2026-11-30 \d\d:\d\d UTC$/)
    const eastern = { asOf: NOW, zone: 'America/New_York' }
    expect(toExpiry(replaced, eastern).title).toMatch(/Expected: 2026-11-30 \d\d:\d\d ET$/)
  })

  it('what ended a rating is the same word here and on the page of its symbol', () => {
    const here = (row: Parameters<typeof toExpiry>[0]) => {
      const { text, spoken } = toExpiry(row, SEEN)
      return ['replaced', 'no longer listed'].includes(text) ? text : spoken
    }
    for (const ended of ['expired', 'renewed', 'vanished'] as const) {
      for (const expired_at of [NOW + DAY, NOW - DAY]) {
        for (const vanished_at of [null, NOW - DAY]) {
          if (ended === 'vanished' && vanished_at === null) continue
          const row = { state: 'expired', expired_at, ended, vanished_at } as const
          const there = renderToStaticMarkup(createElement(StateMark, { row }))
          expect(there).toContain(`>${here(row)}<`)
        }
      }
    }
  })
})
