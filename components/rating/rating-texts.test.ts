import { describe, expect, test } from 'vitest'
import { makeAnswer } from '#testing/components/rating-answer.ts'
import { toRatingDescription, toRatingTitle, toStanding } from './rating-texts.ts'

const DAY = 86_400
const POSTED = 1_767_614_400

describe('how a rating stands', () => {
  test('it is active until it ends, or with no end', () => {
    expect(
      toStanding(makeAnswer({ state: 'active', effective_until: POSTED + DAY })),
    ).toMatchObject({ word: 'Active', text: 'until', at: POSTED + DAY })
    expect(toStanding(makeAnswer({ state: 'active', effective_until: null }))).toMatchObject({
      word: 'Active',
      text: 'with no end: no expiry was given',
      at: null,
    })
  })

  test('the user’s next rating replaces it, whatever was foreseen', () => {
    const standing = toStanding(
      makeAnswer(
        {
          state: 'expired',
          ended: 'renewed',
          effective_until: POSTED + DAY,
          expired_at: POSTED + 90 * DAY,
        },
        [{ id: 8, created_at: POSTED + DAY, rating: 4, rating_label: 'Moderate Buy' }],
      ),
    )
    expect(standing).toMatchObject({
      word: 'Replaced',
      text: 'on',
      at: POSTED + DAY,
      foreseen: POSTED + 90 * DAY,
      by: { id: 8 },
    })
  })

  test('with an expiry of 0, which is none, it can be replaced all the same', () => {
    const standing = toStanding(
      makeAnswer({ state: 'expired', ended: 'renewed', effective_until: POSTED, expired_at: 0 }, [
        { id: 8, created_at: POSTED },
      ]),
    )
    expect(standing).toMatchObject({
      word: 'Replaced',
      text: 'in the second it was posted,',
      foreseen: null,
    })
  })

  test('its expiry ends it where that comes first, even before it was posted', () => {
    const later = { id: 8, created_at: POSTED + 9 * DAY }
    const ended = {
      state: 'expired',
      ended: 'expired',
      effective_until: POSTED + DAY,
      expired_at: POSTED + DAY,
    } as const
    expect(toStanding(makeAnswer(ended, [later]))).toMatchObject({
      word: 'Expired',
      text: 'on',
      by: null,
    })
    const never = { ...ended, effective_until: 5, expired_at: 5 } as const
    expect(toStanding(makeAnswer(never, [later]))).toMatchObject({
      word: 'Expired',
      text: 'before it was posted, on',
      at: 5,
    })
  })

  test('the service ends it where it lists it no more, unless something ended it before', () => {
    const gone = {
      state: 'expired',
      ended: 'vanished',
      effective_until: POSTED + DAY,
      vanished_at: POSTED + DAY,
    } as const
    expect(toStanding(makeAnswer(gone))).toMatchObject({
      word: 'No longer listed',
      text: 'by the service since',
      at: POSTED + DAY,
    })
    const before = { ...gone, ended: 'expired', vanished_at: POSTED + 9 * DAY } as const
    expect(toStanding(makeAnswer(before))).toMatchObject({ word: 'Expired' })
  })

  test('one that lies ahead is not posted yet', () => {
    expect(toStanding(makeAnswer({ state: null }))).toMatchObject({
      word: 'Not posted yet',
      at: POSTED,
    })
  })
})

describe('a rating in words', () => {
  const changed = makeAnswer({
    previous_rating: 3,
    previous_prediction: '8.00',
    state: 'active',
    effective_until: POSTED + DAY,
  })

  test('says what changed, as the trade writes it', () => {
    expect(toRatingTitle(changed)).toBe('AAPL: Hold → Moderate Buy by user 412')
    expect(toRatingDescription(changed)).toBe(
      'Hold → Moderate Buy on AAPL, prediction +8.00% → +12.50%. Upgraded by user 412 on 2026-01-05. Active until 2026-01-06.',
    )
  })

  test('says the state alone where nothing did', () => {
    const same = makeAnswer({ previous_rating: 4, previous_prediction: '12.50' })
    expect(toRatingTitle(same)).toBe('AAPL: Moderate Buy by user 412')
    expect(toRatingDescription(same)).toContain('Moderate Buy on AAPL, prediction +12.50%.')
  })

  test('names what was before in the community’s own words', () => {
    const own = makeAnswer(
      { previous_rating: 3 },
      [],
      [{ id: 1, created_at: POSTED - DAY, rating: 3, rating_label: 'Sit tight' }],
    )
    expect(toRatingTitle(own)).toBe('AAPL: Sit tight → Moderate Buy by user 412')
  })
})
