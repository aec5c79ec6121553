import { describe, expect, it } from 'vitest'
import { toQueryText } from './ratings-query.ts'
import { splitZone, withZone } from './zone.ts'

const zoneOf = (text: string) => splitZone(new URLSearchParams(text)).zone

describe('the zone of an address', () => {
  it('is UTC where none is named, and stays the name that was given', () => {
    expect(zoneOf('')).toBe('UTC')
    expect(zoneOf('tz=Europe/Berlin')).toBe('Europe/Berlin')
    expect(zoneOf('tz=europe/berlin')).toBe('Europe/Berlin')
    expect(zoneOf('tz=Etc/UTC')).toBe('UTC')
    // The same zone: which of its names a platform calls it by depends on its edition.
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
    expect(toQueryText(withZone(rest, zone))).toBe('?q=AA&page=2&tz=Asia/Tokyo')
    expect(toQueryText(withZone(params, 'UTC'))).toBe('?q=AA&page=2')
  })
})
