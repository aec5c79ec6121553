import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import { aCommunityOrCrowd } from '#testing/archive/arbitrary.ts'
import { LEAGUE, leagueTable } from '#testing/archive/league-oracle.ts'
import { selectSymbolMap } from './symbol.ts'

test('the map holds every symbol with active ratings, as plain counting gives them', async () => {
  const effort = { communities: 12, questions: 3, of: aCommunityOrCrowd }
  await holdAgainstCounting(fc.constant(LEAGUE), effort, async ({ archive, rows, at }) => {
    const table = leagueTable(
      rows,
      { ...LEAGUE, sort: { column: 'active', direction: 'desc' } },
      at,
    )
    const counted = table
      .filter(({ active }) => active > 0)
      .map(({ symbol, active, consensus, change_30d: change }) => ({
        symbol,
        active,
        consensus,
        change,
      }))
    expect(await selectSymbolMap(archive.reader, 30, { at })).toEqual({
      rows: counted,
      total: counted.length,
    })
  })
})
