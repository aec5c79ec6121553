import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAsOf, withAsOf } from './api-queries.ts'
import { LAST_SECOND } from './rating-fields.ts'

const THEN = Date.UTC(2024, 7, 2, 23, 59, 59) / 1000
const of = (href: string) => readAsOf(new URL(href, 'http://here').searchParams)
const instants = fc.option(fc.integer({ min: 0, max: LAST_SECOND }))

describe('the as-of instant', () => {
  it('is read from any page’s address, whatever else it holds', () => {
    expect(of('/?symbol=AAPL&asof=2024-08-02&colour=red')).toBe(THEN)
    expect(of('/symbols')).toBeNull()
  })

  it('that cannot be read is now', () => {
    for (const asof of ['banana', '', '2024-02-30', '-1', '2024-08-02&asof=2024-08-03']) {
      expect(of(`/?asof=${asof}`)).toBeNull()
    }
  })

  it('goes with every link, and comes back from it', () => {
    const hrefs = fc.constantFrom('/', '/symbols/BRK.B', '/?symbol=AAPL&page=2', '/users?q=1#top')
    fc.assert(
      fc.property(hrefs, instants, (href, asof) => {
        const written = withAsOf(href, asof)
        expect(of(written)).toBe(asof)
        expect(withAsOf(written, asof)).toBe(written)
        const without = new URL(written, 'http://here')
        without.searchParams.delete('asof')
        const plain = new URL(href, 'http://here')
        expect(without.searchParams.toString()).toBe(plain.searchParams.toString())
        expect([without.pathname, without.hash]).toEqual([plain.pathname, plain.hash])
      }),
    )
  })

  it('gives way to an instant that a link names itself', () => {
    const href = '/symbols?asof=2023-01-01'
    expect(withAsOf(href, THEN)).toBe(href)
  })

  it('writes nothing where it is now', () => {
    expect(withAsOf('/symbols?q=AA', null)).toBe('/symbols?q=AA')
  })
})
