import { expect, test } from 'vitest'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { importRows, makeRating, openMemory, START } from '#testing/archive/arbitrary.ts'
import { expectFacets } from '#testing/archive/facets-oracle.ts'
import { deriveRows } from '#testing/archive/oracle.ts'
import { selectFacets } from './facets.ts'

const HOUR = 3600

const CROWD = Array.from({ length: 1500 }, (_, id) =>
  makeRating({
    id,
    user_id: (id % 53) % 30,
    symbol: `S${((id * 7) % 47) % 31}`,
    rating: 1 + (id % 5),
    action: 1 + (id % 4),
    prediction: `${(id % 90) - 30}.5`,
    created_at: START + id * HOUR,
  }),
)

const symbols = (count: number) => Array.from({ length: count }, (_, number) => `S${number}`)

const QUESTIONS: Record<string, Partial<RatingsQuery>> = {
  'of a user': { user: only(1) },
  'of a symbol': { symbol: only('S30') },
  'of a symbol and a user beside others': { symbol: only('S30'), user: only(1, 4, 99) },
  'of a symbol that is taken out again': { symbol: { only: ['S30'], not: ['S30', 'S2'] } },
  'of a symbol with all other filters': {
    symbol: only('S30', 'S3', 'NONE'),
    rating: only(1, 2, 3),
    action: { only: [], not: [4] },
    from: START + 100 * HOUR,
    prediction_min: '-20',
    state: 'active',
  },
  'of more symbols than are collected': { symbol: only(...symbols(25)) },
  'of what moved': { moved: only('upgraded') },
  'from an instant': { from: START + 700 * HOUR, to: START + 900 * HOUR },
}

test.each(Object.entries(QUESTIONS))(
  'facets %s are what plain counting gives, beyond what a facet names',
  async (_, asked) => {
    const archive = await openMemory()
    await importRows(archive, CROWD)
    const query = { ...EVERY_RATING, ...asked }
    const at = START + 1200 * HOUR
    const facets = await selectFacets(archive.reader, query, { at })
    expectFacets(facets, deriveRows(CROWD), { query, at })
    expect(facets.symbol.length).toBeGreaterThan(0)
    await archive.close()
  },
)
