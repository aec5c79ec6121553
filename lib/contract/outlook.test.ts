import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Outlook, outlookQuery, readOutlook, splitZone, toOutlookHref } from './outlook.ts'
import { toParams } from './query-schema.ts'
import { LAST_SECOND } from './rating-fields.ts'
import { toQueryText } from './ratings-query.ts'

const THEN = Date.UTC(2024, 7, 2, 23, 59, 59) / 1000
const of = (href: string) => readOutlook(new URL(href, 'http://here').searchParams)
const outlooks = fc.record({
  asof: fc.option(fc.integer({ min: 0, max: LAST_SECOND })),
  tz: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
})

describe('where a reader stands', () => {
  it('is read from any page’s address, whatever else stands in it', () => {
    expect(of('/?symbol=AAPL&asof=2024-08-02&tz=Asia/Tokyo&colour=red')).toEqual({
      asof: THEN,
      tz: 'Asia/Tokyo',
    })
    expect(of('/symbols')).toEqual({ asof: null, tz: 'UTC' })
  })

  it('that cannot be read is now, and the rest of it holds', () => {
    for (const asof of ['banana', '', '2024-02-30', '-1', '2024-08-02&asof=2024-08-03']) {
      expect(of(`/?asof=${asof}&tz=Asia/Tokyo`)).toEqual({ asof: null, tz: 'Asia/Tokyo' })
    }
  })

  it('goes with every link, and comes back from it', () => {
    const hrefs = fc.constantFrom('/', '/symbols/BRK.B', '/?symbol=AAPL&page=2', '/users?q=1#top')
    fc.assert(
      fc.property(hrefs, outlooks, (href, outlook: Outlook) => {
        const written = toOutlookHref(href, outlook)
        expect(of(written)).toEqual(outlook)
        expect(toOutlookHref(written, outlook)).toBe(written)
        const without = new URL(written, 'http://here')
        for (const name of ['asof', 'tz']) without.searchParams.delete(name)
        const plain = new URL(href, 'http://here')
        expect(without.searchParams.toString()).toBe(plain.searchParams.toString())
        expect([without.pathname, without.hash]).toEqual([plain.pathname, plain.hash])
      }),
    )
  })

  it('gives way to an instant that a link names itself', () => {
    const href = '/symbols?asof=2023-01-01'
    expect(toOutlookHref(href, { asof: THEN, tz: 'UTC' })).toBe(href)
  })

  it('writes nothing where it is now and UTC', () => {
    expect(toOutlookHref('/symbols?q=AA', { asof: null, tz: 'UTC' })).toBe('/symbols?q=AA')
    expect(
      toParams(outlookQuery, { asof: null }, new URLSearchParams('q=AA&asof=5')).toString(),
    ).toBe('q=AA')
  })
})

const zoneOf = (text: string) => splitZone(new URLSearchParams(text)).zone

describe('the zone of an address', () => {
  it('is UTC where none is named, and stays the name that was given', () => {
    expect(zoneOf('')).toBe('UTC')
    expect(zoneOf('tz=Europe/Berlin')).toBe('Europe/Berlin')
    expect(zoneOf('tz=europe/berlin')).toBe('Europe/Berlin')
    expect(zoneOf('tz=Etc/UTC')).toBe('UTC')
    // Aliases of one zone; which one a platform returns depends on its version.
    expect(zoneOf('tz=Asia/Kolkata')).toBe('Asia/Kolkata')
    expect(zoneOf('tz=Asia/Calcutta')).toBe('Asia/Calcutta')
  })

  it('that does not exist is UTC, and the reader is told', () => {
    for (const text of ['tz=Mars/Olympus', 'tz=', 'tz=%2B05:30', `tz=${'x'.repeat(9000)}`]) {
      const { zone, ignored } = splitZone(new URLSearchParams(text))
      expect(zone).toBe('UTC')
      expect(ignored).toEqual([
        { parameter: 'tz', message: 'is not a time zone like Europe/Berlin' },
      ])
    }
    const twice = new URLSearchParams('tz=Asia/Tokyo&tz=Europe/Berlin')
    expect(splitZone(twice).ignored).toEqual([{ parameter: 'tz', message: 'is given twice' }])
  })

  it('stands beside what is looked at and changes nothing of it', () => {
    const params = new URLSearchParams('q=AA&tz=Asia/Tokyo&page=2')
    const { rest, zone } = splitZone(params)
    expect(rest.toString()).toBe('q=AA&page=2')
    expect(toQueryText(toParams(outlookQuery, { tz: zone }, rest))).toBe(
      '?q=AA&page=2&tz=Asia/Tokyo',
    )
    expect(toQueryText(toParams(outlookQuery, { tz: 'UTC' }, params))).toBe('?q=AA&page=2')
  })
})
