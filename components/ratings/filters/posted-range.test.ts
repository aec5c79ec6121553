import { describe, expect, it } from 'vitest'
import { toSpanText, UTC } from '#components/format/instants.ts'
import { EVERY_VIEW } from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'
import {
  asSpan,
  hasLastDays,
  toDays,
  withFirstDay,
  withLastDay,
  withLastDays,
} from './posted-range.ts'

const BERLIN = 'Europe/Berlin'
const at = (iso: string) => Date.parse(iso) / 1000

describe('the span in which ratings were posted', () => {
  it('the last day chosen is in the result, although the query ends before its bound', () => {
    const query = withLastDay(EVERY_VIEW, '2024-06-30', UTC)
    expect(query.to).toBe(at('2024-07-01'))
    expect(toDays(query, UTC)).toEqual({ first: '', last: '2024-06-30' })
  })

  it('a single day can be chosen', () => {
    const query = withLastDay(withFirstDay(EVERY_VIEW, '2024-06-30', UTC), '2024-06-30', UTC)
    expect(toDays(query, UTC)).toEqual({ first: '2024-06-30', last: '2024-06-30' })
    expect(toSpanText(query)).toBe('on 2024-06-30')
  })

  it('a beginning behind the end replaces the end instead of asking for nothing', () => {
    const query = withFirstDay(withLastDay(EVERY_VIEW, '2024-06-30', UTC), '2024-08-01', UTC)
    expect([query.from, query.to]).toEqual([at('2024-08-01'), null])
  })

  it('an end before the beginning replaces the beginning', () => {
    const query = withLastDay(withFirstDay(EVERY_VIEW, '2024-08-01', UTC), '2024-06-30', UTC)
    expect([query.from, query.to]).toEqual([null, at('2024-07-01')])
  })

  it('one year of an address is a span like any other, and several are not', () => {
    const year = { ...EVERY_VIEW, created: { only: ['2024'], not: ['2024-05'] } }
    expect(toDays(asSpan(year), UTC)).toEqual({ first: '2024-01-01', last: '2024-12-31' })
    expect(asSpan(year).created).toEqual({ only: [], not: ['2024-05'] })
    for (const other of [
      { ...EVERY_VIEW, created: only('2024', '2025') },
      { ...year, from: 5 },
      EVERY_VIEW,
    ]) {
      expect(asSpan(other)).toBe(other)
    }
  })

  it('a half-written date takes the bound away', () => {
    expect(withFirstDay({ ...EVERY_VIEW, from: 5 }, '2024-13-', UTC).from).toBeNull()
  })

  it('the first second of 1970 is a bound like any other', () => {
    const query = withFirstDay(EVERY_VIEW, '1970-01-01', UTC)
    expect(query.from).toBe(0)
    expect(toSpanText(query)).toBe('since 1970-01-01')
  })

  it('the last day of the calendar stays within it', () => {
    expect(toDays(withLastDay(EVERY_VIEW, '9999-12-31', UTC), UTC).last).toBe('9999-12-31')
  })

  it('the last 30 days begin at a midnight, so that the link means the same tomorrow', () => {
    const query = withLastDays(EVERY_VIEW, 30, { now: at('2026-11-20T14:32:00Z'), zone: UTC })
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

  it('begins and ends with the days of the zone that was chosen, clock changes included', () => {
    const query = withLastDay(withFirstDay(EVERY_VIEW, '2026-03-29', BERLIN), '2026-03-29', BERLIN)
    expect([query.from, query.to]).toEqual([at('2026-03-28T23:00:00Z'), at('2026-03-29T22:00:00Z')])
    expect(toDays(query, BERLIN)).toEqual({ first: '2026-03-29', last: '2026-03-29' })
    expect(toSpanText(query, BERLIN)).toBe('on 2026-03-29')
    expect(toSpanText(query)).toBe('2026-03-28 23:00 to 2026-03-29 22:00')
  })

  it('of days at the ends of time stays within the instants that there are, in every zone', () => {
    for (const zone of ['Asia/Tokyo', 'America/New_York']) {
      expect(withFirstDay(EVERY_VIEW, '1970-01-01', zone).from).toBeGreaterThanOrEqual(0)
      expect(toDays(withLastDay(EVERY_VIEW, '9999-12-31', zone), zone).last).toBe('9999-12-31')
    }
  })

  it('of the last days begins with a day of the zone', () => {
    const now = at('2026-11-20T02:00:00Z')
    const clock = { now, zone: 'America/New_York' }
    const view = withLastDays(EVERY_VIEW, 30, clock)
    expect(view.from).toBe(at('2026-10-20T04:00:00Z'))
    expect(hasLastDays(view, 30, clock)).toBe(true)
    expect(hasLastDays(view, 30, { now, zone: UTC })).toBe(false)
  })
})
