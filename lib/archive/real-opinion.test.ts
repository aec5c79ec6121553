import { describe, expect, test } from 'vitest'
import type { IncomingRating } from '#lib/contract/incoming-rating.ts'
import { SYMBOL_SORTS } from '#lib/contract/other-queries.ts'
import { importRows, openMemory } from './arbitrary.test-support.ts'
import { leagueTable, overviewOf } from './league-oracle.test-support.ts'
import { opinionOf } from './opinion-oracle.test-support.ts'
import { deriveRows, keyOf } from './oracle.test-support.ts'
import { hasRealRatings, readRealRatings } from './real-ratings.test-support.ts'

/** Midsummers, a leap day, the hour of a clock change, and a day behind the last rating. */
const INSTANTS = [
  '2012-02-07T00:00:00Z',
  '2013-07-01T12:00:00Z',
  '2016-02-29T00:00:00Z',
  '2018-06-30T23:59:59Z',
  '2020-03-29T01:30:00Z',
  '2022-12-31T00:00:00Z',
  '2024-08-02T16:00:00Z',
  '2030-01-01T00:00:00Z',
].map((text) => Date.parse(text) / 1000)

/** The plain derivation looks at all rows for each of them: symbols apart it is the same, and quick enough. */
function readCommunity() {
  const given = readRealRatings()
  const bySymbol = new Map<string, IncomingRating[]>()
  for (const row of given) {
    const key = keyOf(row.rating)
    const own = bySymbol.get(key) ?? []
    own.push(row)
    bySymbol.set(key, own)
  }
  return { given, symbols: new Map([...bySymbol].map(([key, own]) => [key, deriveRows(own)])) }
}

describe.skipIf(!hasRealRatings)('on a real community', () => {
  test('opinions, league tables and overviews are what plain counting says', {
    timeout: 120_000,
  }, async () => {
    const { given, symbols } = readCommunity()
    const rows = [...symbols.values()].flat()
    const archive = await openMemory()
    await importRows(archive, given)
    expect(symbols.size).toBeGreaterThan(40)
    for (const [index, at] of INSTANTS.entries()) {
      for (const [key, own] of symbols) {
        expect(await archive.selectOpinion(key, { at }), `${key} at ${at}`).toEqual(
          opinionOf(own, at),
        )
      }
      expect(await archive.selectOverview({ at })).toEqual(overviewOf(rows, at))
      // The figures are worked out slowly here: each instant has one column's order, each column an instant.
      const column = SYMBOL_SORTS[index % SYMBOL_SORTS.length] ?? 'symbol'
      const sort = { column, direction: 'desc' } as const
      const query = { q: '', sort, asof: null, page: 1, per_page: 500 }
      const { rows: lines } = await archive.selectSymbols(query, { at })
      expect(lines).toEqual(leagueTable(rows, query, at))
    }
    await archive.close()
  })
})
