import { expect, test } from 'vitest'
import { toOverviewHrefs } from './overview.tsx'

const AS_OF = 1_795_249_510
const SINCE = AS_OF - 7 * 86_400

test('moves and cliffs lead to the symbol with its range, contested ones to what is disagreed with', () => {
  const hrefs = toOverviewHrefs({ since: SINCE }, AS_OF)
  expect(hrefs.move('A/B')).toBe('/symbols/A%2FB?from=2026-11-14T08:25:10Z&to=2026-11-21T08:25:11Z')
  expect(hrefs.cliff('A')).toBe('/symbols/A?from=2026-08-23T08:25:10Z&to=2026-11-21T08:25:11Z')
  expect(hrefs.contested('A')).toBe('/?symbol=A&state=active&sort=-tally_disagree')
})

test('before 1970 no range begins', () => {
  const hrefs = toOverviewHrefs({ since: 86_400 - 7 * 86_400 }, 86_400)
  expect(hrefs.move('A')).toContain('from=1970-01-01')
  expect(hrefs.cliff('A')).toContain('from=1970-01-01')
})
