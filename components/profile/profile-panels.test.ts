import { describe, expect, test } from 'vitest'
import { parseRatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { toContradictionsHref, toSubjectQuery } from './profile-panels.tsx'

const AT = Date.UTC(2024, 7, 2, 23, 59, 59) / 1000

describe('the way to what a lens counts', () => {
  test('asks what was counted, and the lens besides', () => {
    for (const subject of [{ symbol: 'brk.b' }, { symbol: 'a,"b"' }, { user: 12 }]) {
      for (const asof of [null, AT]) {
        const href = toContradictionsHref(subject, 'extreme_prediction', asof)
        const asked = parseRatingsQuery(new URLSearchParams(href.slice(2)))
        expect(asked).toEqual({
          ok: true,
          value: { ...toSubjectQuery(subject, asof), quality: only('extreme_prediction') },
        })
      }
    }
  })

  test('reads as a person would write it', () => {
    expect(toContradictionsHref({ symbol: 'aapl' }, 'initiated_twice', AT)).toBe(
      '/?symbol=AAPL&quality=initiated_twice&asof=2024-08-02',
    )
    expect(toContradictionsHref({ user: 12 }, 'vanished', null)).toBe('/?user=12&quality=vanished')
  })
})
