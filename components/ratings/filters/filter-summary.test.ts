import { describe, expect, it } from 'vitest'
import { toFilterPhrase, toShortList } from '#components/format/filter-words.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import { selectRatingFilters, toQueryTitle } from './filter-summary.ts'

const read = (text: string): RatingsQuery => readRatingsView(new URLSearchParams(text)).query
const title = (text: string) => toQueryTitle(read(text))

describe("the page's title", () => {
  it('says the filter in plain English', () => {
    expect(toQueryTitle(EVERY_RATING)).toBe('Ratings')
    expect(title('symbol=AAPL&rating=4,5')).toBe('AAPL, Moderate Buy or Strong Buy · Ratings')
    expect(title('user=12,40&action=2&state=active')).toBe(
      'user #12 or #40, Upgraded, Active · Ratings',
    )
  })

  it('calls the state what the filter calls it', () => {
    expect(title('state=expired')).toBe('Ended · Ratings')
  })

  it('names the span by its last day', () => {
    expect(title('from=2021-01-01&to=2021-07-01')).toBe('posted 2021-01-01 to 2021-06-30 · Ratings')
    expect(title('asof=2026-03-01T00:00:00Z')).toBe('as of 2026-03-01 00:00 · Ratings')
    expect(title('asof=2026-03-01')).toBe('as of 2026-03-01 · Ratings')
  })

  it('prints predictions with their sign, and 0 is one', () => {
    expect(title('prediction_min=10')).toBe('prediction +10% or more · Ratings')
    expect(title('prediction_min=-2.50&prediction_max=0')).toBe('prediction −2.50% to 0% · Ratings')
    expect(title('prediction_min=0&prediction_max=4.99')).toBe('prediction 0% to +4.99% · Ratings')
    expect(title('user=0')).toBe('user #0 · Ratings')
  })

  it('is in UTC, as the server cannot know the zone of the reader', () => {
    expect(title('from=2021-01-01&to=2021-07-01')).toBe('posted 2021-01-01 to 2021-06-30 · Ratings')
    const phrase = (text: string) => toFilterPhrase(selectRatingFilters(read(text), 'Asia/Tokyo'))
    expect(phrase('from=2021-01-01&to=2021-07-01')).toBe(
      'posted 2021-01-01 09:00 to 2021-07-01 09:00',
    )
    expect(phrase('from=2020-12-31T15:00:00Z')).toBe('posted since 2021-01-01')
    expect(phrase('created=2021-05')).toBe('posted 2021-05 UTC')
  })

  it('stays short however many symbols are asked for', () => {
    expect(title('symbol=A,B,C,D')).toBe('A, B, C or D · Ratings')
    expect(title('symbol=A,B,C,D,E,F')).toBe('A, B, C or 3 more · Ratings')
  })

  it('says what is taken out, and every other filter, in words', () => {
    expect(title('symbol=-TSLA,-NVDA&rating=5')).toBe('not TSLA or NVDA, Strong Buy · Ratings')
    expect(title('id=7&agree=0&comments=-3&expires=never')).toBe(
      'id #7, 0 agree, not 3 comments, expires never · Ratings',
    )
    expect(title('created=2024,2025-03&prediction=12.50')).toBe(
      'posted 2024 or 2025-03, prediction +12.50% · Ratings',
    )
    expect(title('prediction_above=10&prediction_below=20')).toBe(
      'prediction above +10%, below +20% · Ratings',
    )
  })

  it('names lenses by their labels', () => {
    expect(title('symbol=AAPL&quality=flip_within_day,-upgraded_false')).toBe(
      'AAPL, Flip within a day, not False upgrade · Ratings',
    )
  })

  it('does not speak of order and page', () => {
    expect(title('sort=symbol&page=3&per_page=100')).toBe('Ratings')
  })
})

it('a list is named whole as long as it is short, and no value of a long one goes uncounted', () => {
  expect(toShortList(['A'])).toBe('A')
  expect(toShortList(['A', 'B', 'C', 'D'])).toBe('A, B, C, D')
  expect(toShortList(['A', 'B', 'C', 'D', 'E'])).toBe('A, B, C and 2 more')
  expect(toShortList([])).toBe('')
})
