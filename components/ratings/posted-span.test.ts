import { describe, expect, it } from 'vitest'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { toDays, toSpanText, withFirstDay, withLastDay, withLastDays } from './posted-span.ts'

const at = (iso: string) => Date.parse(iso) / 1000

describe('the span in which ratings were posted', () => {
  it('the last day chosen is in the result, although the query ends before its bound', () => {
    const query = withLastDay(EVERY_RATING, '2024-06-30')
    expect(query.to).toBe(at('2024-07-01'))
    expect(toDays(query)).toEqual({ first: '', last: '2024-06-30' })
  })

  it('a single day can be chosen', () => {
    const query = withLastDay(withFirstDay(EVERY_RATING, '2024-06-30'), '2024-06-30')
    expect(toDays(query)).toEqual({ first: '2024-06-30', last: '2024-06-30' })
    expect(toSpanText(query)).toBe('on 2024-06-30')
  })

  it('a beginning behind the end replaces the end instead of asking for nothing', () => {
    const query = withFirstDay(withLastDay(EVERY_RATING, '2024-06-30'), '2024-08-01')
    expect([query.from, query.to]).toEqual([at('2024-08-01'), null])
  })

  it('an end before the beginning replaces the beginning', () => {
    const query = withLastDay(withFirstDay(EVERY_RATING, '2024-08-01'), '2024-06-30')
    expect([query.from, query.to]).toEqual([null, at('2024-07-01')])
  })

  it('a half-written date takes the bound away', () => {
    expect(withFirstDay({ ...EVERY_RATING, from: 5 }, '2024-13-').from).toBeNull()
  })

  it('the first second of 1970 is a bound like any other', () => {
    const query = withFirstDay(EVERY_RATING, '1970-01-01')
    expect(query.from).toBe(0)
    expect(toSpanText(query)).toBe('since 1970-01-01')
  })

  it('the last day of the calendar stays within it', () => {
    expect(toDays(withLastDay(EVERY_RATING, '9999-12-31')).last).toBe('9999-12-31')
  })

  it('the last 30 days begin at a midnight, so that the link means the same tomorrow', () => {
    const query = withLastDays(EVERY_RATING, 30, at('2026-11-20T14:32:00Z'))
    expect(query.from).toBe(at('2026-10-21'))
  })

  it('is written with the last day that is in, and with the time where it is not midnight', () => {
    const span = { from: at('2021-01-01'), to: at('2021-07-01') }
    expect(toSpanText(span)).toBe('2021-01-01 to 2021-06-30')
    expect(toSpanText({ ...span, to: null })).toBe('since 2021-01-01')
    expect(toSpanText({ ...span, from: null })).toBe('until 2021-06-30')
    expect(toSpanText({ from: at('2021-01-01T12:30:00Z'), to: null })).toBe(
      'since 2021-01-01 12:30',
    )
    expect(toSpanText({ from: null, to: null })).toBeNull()
  })
})
