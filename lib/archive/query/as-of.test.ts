import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { selectMovers } from '#lib/archive/changes/notable.ts'
import { selectFacets } from '#lib/archive/ratings/facets.ts'
import { selectRating, selectRatings } from '#lib/archive/ratings/ratings.ts'
import { openRatingsExport } from '#lib/archive/ratings/ratings-export.ts'
import {
  selectAggregate,
  selectComparison,
  selectOpinion,
  selectSeries,
} from '#lib/archive/symbols/symbol.ts'
import { selectSymbols } from '#lib/archive/symbols/symbols.ts'
import { selectUser, selectUserRatings, selectUsers } from '#lib/archive/users/users.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { ROW_COLUMNS } from '#lib/contract/export-choice.ts'
import { SYMBOL_SORTS } from '#lib/contract/lists/symbols.ts'
import { USER_SORTS } from '#lib/contract/lists/users.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import {
  aCommunity,
  anInstant,
  aRatingsQuery,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { hasRealRatings, readRealRatings } from '#testing/archive/real-ratings.ts'
import { draws } from '#testing/draws.ts'

const LOST_AT = START + 20 * 86_400

const ANCHOR = makeRating({ id: 61, user_id: 9, symbol: 'ANCHOR', created_at: LOST_AT })

const isListed = ({ rating }: IncomingRating) => rating.id % 3 !== 0

async function openUntil(community: readonly IncomingRating[], until: number): Promise<Archive> {
  const archive = await openMemory()
  const there = community.filter(({ rating }) => rating.created_at <= until)
  await importRows(archive, there)
  if (until >= LOST_AT) await importRows(archive, there.filter(isListed), null, { at: LOST_AT })
  return archive
}

const aSpelledCommunity = aCommunity.map((rows) => {
  const last = new Map([...rows, ANCHOR].map((row) => [row.rating.id, row]))
  return [...last.values()].map((row) => ({
    ...row,
    rating: { ...row.rating, symbol: toSymbolKey(row.rating.symbol) },
  }))
})

const toComparable = ({ created, prediction, bounds: _bounds, ...facets }: Facets) => {
  const total = (bins: readonly { count: number }[]) =>
    bins.reduce((sum, { count }) => sum + count, 0)
  return { ...facets, created: total(created), prediction: total(prediction) }
}

async function readLines(archive: Archive, query: RatingsQuery, at: number) {
  const file = await openRatingsExport(archive.reader, query, { at })
  const lines: string[] = []
  for await (const batch of file.lines('csv', ROW_COLUMNS)) lines.push(...batch)
  await file.close()
  return { rows: file.rows, lines }
}

const toSort = <T>(columns: readonly T[], at: number) => {
  const column = columns[at % columns.length]
  if (column === undefined) throw new Error('no column')
  return { column, direction: 'desc' as const }
}

type ViewTime = { at: number; asof: number | null }

async function readAll(archive: Archive, { at, asof }: ViewTime, query: RatingsQuery) {
  const options = { at }
  const asked = { ...query, asof }
  const page = { q: '', asof, page: 1, per_page: 50 }
  return {
    ratings: await selectRatings(archive.reader, asked, options),
    file: await readLines(archive, asked, at),
    facets: toComparable(await selectFacets(archive.reader, asked, options)),
    symbols: await selectSymbols(
      archive.reader,
      { ...page, sort: toSort(SYMBOL_SORTS, at) },
      options,
    ),
    users: await selectUsers(archive.reader, { ...page, sort: toSort(USER_SORTS, at) }, options),
    movers: await selectMovers(archive.reader, options),
  }
}

async function readUser(archive: Archive, userId: number, { at }: ViewTime) {
  return {
    user: await selectUser(archive.reader, userId, { at }),
    ratings: await selectUserRatings(archive.reader, userId, { at }),
  }
}

async function readSymbol(archive: Archive, symbol: string, { at, asof }: ViewTime) {
  const span = { bucket: 'auto', from: null, to: null, asof } as const
  return {
    opinion: await selectOpinion(archive.reader, symbol, { at }),
    series: await selectSeries(archive.reader, { symbol, query: span }, { at }),
    aggregate: (await selectAggregate(archive.reader, { symbol, day: null }, { at }))?.aggregate,
  }
}

async function compare(whole: Archive, cut: Archive, until: number, query: RatingsQuery) {
  const rewound: ViewTime = { at: until, asof: until }
  const there: ViewTime = { at: until, asof: null }
  const then = await readAll(cut, there, query)
  expect(await readAll(whole, rewound, query)).toEqual(then)
  const symbols = then.symbols.rows.map(({ symbol }) => symbol)
  for (const symbol of symbols.slice(0, 15)) {
    expect(await readSymbol(whole, symbol, rewound)).toEqual(await readSymbol(cut, symbol, there))
  }
  const compared = {
    symbol: { only: symbols.slice(0, 6), not: [] },
    bucket: 'auto' as const,
    from: null,
    to: null,
  }
  if (symbols.length > 0) {
    expect(
      await selectComparison(whole.reader, { ...compared, asof: until }, { at: until }),
    ).toEqual(await selectComparison(cut.reader, { ...compared, asof: null }, { at: until }))
  }
  return then
}

describe('as of a day equals an archive that ends on that day', () => {
  test('for random communities, whatever is asked', { timeout: 240_000 }, async () => {
    const property = fc.asyncProperty(
      aSpelledCommunity,
      anInstant,
      aRatingsQuery,
      async (community, until, query) => {
        const whole = await openUntil(community, Number.POSITIVE_INFINITY)
        const cut = await openUntil(community, until)
        await compare(whole, cut, until, query)
        for (const userId of [1, 2, 3, 4, 5, 9]) {
          expect(await readUser(whole, userId, { at: until, asof: until })).toEqual(
            await readUser(cut, userId, { at: until, asof: null }),
          )
        }
        for (const { rating } of community.slice(0, 8)) {
          expect(
            (await selectRating(whole.reader, { id: rating.id, asof: until }, { at: until })) ??
              null,
          ).toEqual(
            (await selectRating(cut.reader, { id: rating.id, asof: null }, { at: until })) ?? null,
          )
        }
        await whole.close()
        await cut.close()
      },
    )
    await fc.assert(property, { numRuns: draws(6) })
  })

  test.skipIf(!hasRealRatings)('for a real community', { timeout: 240_000 }, async () => {
    const community = readRealRatings()
    const whole = await openMemory()
    await importRows(whole, community)
    for (const day of ['2018-10-28T00:30:00Z', '2024-08-02T23:59:59Z']) {
      const until = Date.parse(day) / 1000
      const cut = await openMemory()
      await importRows(
        cut,
        community.filter(({ rating }) => rating.created_at <= until),
      )
      const { users } = await compare(whole, cut, until, EVERY_RATING)
      for (const { user_id } of users.rows.slice(0, 10)) {
        expect(await readUser(whole, user_id, { at: until, asof: until })).toEqual(
          await readUser(cut, user_id, { at: until, asof: null }),
        )
      }
      await cut.close()
    }
    await whole.close()
  })
})
