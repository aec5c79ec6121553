import { expect, test } from 'vitest'
import { parseRatingsQuery } from '#lib/contract/ratings-query.ts'
import { toOverviewHrefs } from './overview.tsx'

/** 2026-11-21 08:25:10 UTC. */
const AS_OF = 1_795_249_510
const SINCE = AS_OF - 7 * 86_400

const query = (href: string) => {
  const read = parseRatingsQuery(new URL(href, 'http://here').searchParams)
  if (!read.ok) throw new Error('not an address that can be read')
  return read.value
}

test('a line’s address holds exactly the seconds that were counted, both ends of them', () => {
  const hrefs = toOverviewHrefs({ since: SINCE }, AS_OF)
  const { from, to, action, symbol } = query(hrefs.downgraded('brk.b'))
  expect({ from, to, action, symbol }).toEqual({
    from: SINCE,
    to: AS_OF + 1,
    action: { only: [3], not: [] },
    symbol: { only: ['BRK.B'], not: [] },
  })
  expect(query(hrefs.upgraded('A')).action.only).toEqual([2])
})

test('moves and cliffs lead to the symbol with its range, contested ones to what is disagreed with', () => {
  const hrefs = toOverviewHrefs({ since: SINCE }, AS_OF)
  expect(hrefs.move('A/B')).toBe('/symbols/A%2FB?from=2026-11-14T08:25:10Z&to=2026-11-21T08:25:11Z')
  expect(hrefs.cliff('A')).toBe('/symbols/A?from=2026-08-23T08:25:10Z&to=2026-11-21T08:25:11Z')
  expect(hrefs.contested('A')).toBe('/?symbol=A&state=active&sort=-tally_disagree')
})

test('before 1970 no range begins', () => {
  const hrefs = toOverviewHrefs({ since: 86_400 - 7 * 86_400 }, 86_400)
  expect(hrefs.upgraded('A')).toContain('from=1970-01-01')
  expect(hrefs.cliff('A')).toContain('from=1970-01-01')
})
