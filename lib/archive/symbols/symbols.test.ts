import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import type { SymbolsQuery } from '#lib/contract/lists/symbols.ts'
import { SYMBOL_SORTS } from '#lib/contract/lists/symbols.ts'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import {
  aCommunityOrCrowd,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { LEAGUE, leagueTable } from '#testing/archive/league-oracle.ts'
import { pageOf } from '#testing/archive/oracle.ts'
import { selectSymbols } from './symbols.ts'

const DAY = 86_400

const FOLDED = ['straße', 'STRASSE', 'uni', 'chambery', 'CHAMBÉRY', 'be\u0301r', '\u0301']

const aSymbolsQuery: fc.Arbitrary<SymbolsQuery> = fc.record({
  q: fc.constantFrom(
    '',
    '',
    '',
    'a',
    'A',
    'b',
    '.',
    '%',
    '_',
    'ünï',
    'ss',
    '経',
    'nobody',
    ...FOLDED,
  ),
  sort: fc.record({
    column: fc.constantFrom(...SYMBOL_SORTS),
    direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  }),
  asof: fc.constant(null),
  page: fc.integer({ min: 1, max: 3 }),
  per_page: fc.constantFrom(2, 50),
})

describe('the league table', () => {
  test('holds the lines, the figures, the order and the total that plain counting gives', async () => {
    const effort = { communities: 16, questions: 6, of: aCommunityOrCrowd }
    await holdAgainstCounting(
      aSymbolsQuery,
      effort,
      async ({ archive, rows, asked: query, at }) => {
        const lines = leagueTable(rows, query, at)
        expect(await selectSymbols(archive.reader, query, { at })).toEqual({
          rows: pageOf(lines, query),
          total: lines.length,
        })
      },
    )
  })

  test('is empty at the beginning of time, and stands at its end with nothing active', async () => {
    const archive = await openMemory()
    await importRows(archive, [
      makeRating({ id: 1, created_at: START, expired_at: START + DAY }),
      makeRating({ id: 2, user_id: 2, symbol: 'B', created_at: START }),
    ])
    expect(await selectSymbols(archive.reader, LEAGUE, { at: 0 })).toEqual({ rows: [], total: 0 })
    expect(await selectSymbols(archive.reader, LEAGUE, { at: START - 1 })).toEqual({
      rows: [],
      total: 0,
    })
    const { rows } = await selectSymbols(archive.reader, LEAGUE, { at: 253_402_300_799 })
    expect(rows.map(({ symbol, active }) => [symbol, active])).toEqual([
      ['AAPL', 0],
      ['B', 1],
    ])
    await archive.close()
  })

  test('finds what is spelled nearly so, the nearest first, and of equals the most active', async () => {
    const archive = await openMemory()
    const symbols = ['TSLA', 'TSAL', 'TSLA.X', 'TLSA', 'AAPL', 'AAP', 'TS', 'NFLX', 'NVDA', 'GOOG']
    await importRows(
      archive,
      symbols.map((symbol, index) => makeRating({ id: index + 1, user_id: index + 1, symbol })),
    )
    const find = async (like: string) => {
      const query = { ...LEAGUE, sort: { column: 'symbol', direction: 'asc' } as const, like }
      const { rows, total } = await selectSymbols(archive.reader, query, { at: START + DAY })
      expect(total).toBe(rows.length)
      return rows.map(({ symbol }) => symbol)
    }
    expect(await find('tsla')).toEqual(['TSLA', 'TLSA', 'TSAL'])
    expect(await find('TSL')).toEqual(['TS', 'TSAL', 'TSLA'])
    expect(await find('APPL')).toEqual(['AAPL'])
    expect(await find('GOGO')).toEqual(['GOOG'])
    expect(await find('aapl1')).toEqual(['AAPL'])
    expect(await find('NVIDIA')).toEqual(['NVDA'])
    expect(await find('nothing like it')).toEqual([])
    await archive.close()
  })

  test('says how many symbols there are on a page behind the last one too', async () => {
    const archive = await openMemory()
    await importRows(archive, [makeRating({ id: 1 }), makeRating({ id: 2, symbol: 'B' })])
    const at = START + DAY
    const behind = await selectSymbols(archive.reader, { ...LEAGUE, page: 9 }, { at })
    expect(behind).toEqual({ rows: [], total: 2 })
    await archive.close()
  })
})

test('a sparkline ends with the consensus and is broken where fewer than three were active', async () => {
  const archive = await openMemory()
  const step = 14 * DAY
  const posted = (id: number, rating: number, from: number, until: number | null) =>
    makeRating({
      id,
      user_id: id,
      rating,
      created_at: START + from * step,
      expired_at: until === null ? null : START + until * step,
    })
  await importRows(archive, [
    posted(1, 5, 0, null),
    posted(2, 4, 0, null),
    posted(3, 3, 0, 2),
    posted(4, 1, 20, null),
  ])
  const { rows } = await selectSymbols(archive.reader, LEAGUE, { at: START + 26 * step })
  const [row] = rows
  expect(row?.spark).toEqual([
    ...Array(2).fill('4.0000'),
    ...Array(18).fill(null),
    ...Array(7).fill('3.3333'),
  ])
  expect(row?.consensus).toBe('3.3333')
  await archive.close()
})

const sortedBy = (column: SymbolsQuery['sort']['column'], direction: 'asc' | 'desc' = 'desc') => ({
  ...LEAGUE,
  sort: { column, direction },
})

const crowd = (symbol: string, ratings: readonly number[], given: { prediction?: string } = {}) =>
  ratings.map((rating, index) =>
    makeRating({
      id: symbol.charCodeAt(0) * 1000 + symbol.length * 100 + index,
      user_id: index,
      symbol,
      rating,
      created_at: START,
      ...given,
    }),
  )

test('the symbol that is typed comes first, then those that begin with it', async () => {
  const archive = await openMemory()
  await importRows(archive, [
    ...crowd('A', [5]),
    ...crowd('BA', [4, 4, 4, 4]),
    ...crowd('AB', [4, 4, 4]),
  ])
  const { rows } = await selectSymbols(archive.reader, { ...LEAGUE, q: 'a' }, { at: START + DAY })
  expect(rows.map(({ symbol }) => symbol)).toEqual(['A', 'AB', 'BA'])
  await archive.close()
})

describe('rankings', () => {
  test('one opinion leads a ranking by consensus at neither end', async () => {
    const archive = await openMemory()
    await importRows(archive, [
      ...crowd('A', [5]),
      ...crowd('B', [...Array(40).fill(4), 5]),
      ...crowd('C', [1]),
      ...crowd('D', [...Array(40).fill(2), 1]),
    ])
    const at = START + DAY
    const names = async (direction: 'asc' | 'desc') =>
      (await selectSymbols(archive.reader, sortedBy('consensus', direction), { at })).rows.map(
        ({ symbol }) => symbol,
      )
    expect((await names('desc'))[0]).toBe('B')
    expect((await names('asc'))[0]).toBe('D')
    await archive.close()
  })

  test('one prediction of three hundred percent does not lead a hundred predictions of fifty', async () => {
    const archive = await openMemory()
    await importRows(archive, [
      ...crowd('A', [5], { prediction: '300' }),
      ...crowd('B', Array(100).fill(4), { prediction: '50' }),
      ...crowd('C', Array(300).fill(3), { prediction: '0' }),
    ])
    const { rows } = await selectSymbols(archive.reader, sortedBy('avg_prediction'), {
      at: START + DAY,
    })
    expect(rows.map((row) => [row.symbol, row.avg_prediction, row.prediction_shrunk])).toEqual([
      ['B', '50.0000', '46.6107'],
      ['A', '300.0000', '20.6529'],
      ['C', '0.0000', '0.4103'],
    ])
    await archive.close()
  })

  test.each([
    ['999999999999.5', 'A 19.4915, B 11.9491, D 11.4005, C 10.1310'],
    ['-999999999999.5', 'B 11.8591, D 10.5005, C 10.0410, A 0.4095'],
  ])(
    'moves other symbols by less than their distance when one prediction is %s',
    async (absurd, ranking) => {
      const archive = await openMemory()
      await importRows(archive, [
        ...crowd('A', [3], { prediction: absurd }),
        ...crowd('B', Array(100).fill(4), { prediction: '12' }),
        ...crowd('C', Array(100).fill(3), { prediction: '10' }),
        ...crowd('D', [3], { prediction: '11' }),
      ])
      const query = sortedBy('avg_prediction')
      const { rows } = await selectSymbols(archive.reader, query, { at: START + DAY })
      expect(rows.map((row) => `${row.symbol} ${row.prediction_shrunk}`).join(', ')).toBe(ranking)
      await archive.close()
    },
  )

  test('three opinions of which edition has turned lead the changes of thirty in neither direction', async () => {
    const archive = await openMemory()
    const turning = (symbol: string, ratings: number, turned: number, rating: number) => [
      ...crowd(symbol, Array(ratings).fill(3)),
      ...Array.from({ length: turned }, (_, user_id) =>
        makeRating({
          id: symbol.charCodeAt(0) * 1000 + 500 + user_id,
          user_id,
          symbol,
          rating,
          created_at: START + 35 * DAY,
        }),
      ),
    ]
    await importRows(archive, [
      ...turning('A', 3, 1, 5),
      ...turning('B', 30, 9, 5),
      ...turning('C', 3, 1, 1),
      ...turning('D', 30, 9, 1),
    ])
    const at = START + 40 * DAY
    for (const [direction, symbols] of [
      ['desc', ['B', 'A', 'C', 'D']],
      ['asc', ['D', 'C', 'A', 'B']],
    ] as const) {
      const { rows } = await selectSymbols(archive.reader, sortedBy('change_30d', direction), {
        at,
      })
      expect(rows.map(({ symbol }) => symbol)).toEqual(symbols)
      expect(rows.find(({ symbol }) => symbol === 'A')).toMatchObject({
        change_30d: '0.6667',
        change_shrunk: '0.2500',
      })
    }
    await archive.close()
  })

  test('a change is held back by the fewer opinions of both ends', async () => {
    const archive = await openMemory()
    const later = Array.from({ length: 9 }, (_, index) =>
      makeRating({
        id: 1 + index,
        user_id: 100 + index,
        symbol: 'A',
        rating: 5,
        created_at: START + 35 * DAY,
      }),
    )
    await importRows(archive, [...crowd('A', [3, 3, 3]), ...later])
    const { rows } = await selectSymbols(archive.reader, LEAGUE, { at: START + 40 * DAY })
    expect(rows[0]).toMatchObject({ active: 12, change_30d: '1.5000', change_shrunk: '0.5625' })
    await archive.close()
  })

  test('what has no value stands last in either direction', async () => {
    const archive = await openMemory()
    await importRows(archive, [...crowd('A', [5]), ...crowd('B', [5, 4, 4])])
    const at = START + 40 * DAY
    for (const direction of ['asc', 'desc'] as const) {
      const { rows } = await selectSymbols(archive.reader, sortedBy('change_30d', direction), {
        at,
      })
      expect(rows.map(({ symbol, change_30d }) => [symbol, change_30d])).toEqual([
        ['B', '0.0000'],
        ['A', null],
      ])
    }
    await archive.close()
  })

  test('figures that are shown alike are alike in the order: then the symbol decides', async () => {
    const archive = await openMemory()
    await importRows(archive, [
      ...crowd('C', [...Array(15_900).fill(1), ...Array(99).fill(2), 3]),
      ...crowd('B', [...Array(159).fill(1), 2]),
    ])
    const { rows } = await selectSymbols(archive.reader, LEAGUE, { at: START + DAY })
    expect(rows.map(({ symbol, consensus }) => [symbol, consensus])).toEqual([
      ['B', '1.0063'],
      ['C', '1.0063'],
    ])
    await archive.close()
  })
})

test('every ranking has the order of the figures that are shown, ties by symbol', async () => {
  const archive = await openMemory()
  const someRatings = fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 30, maxLength: 60 })
  const crowds = fc.sample(someRatings, { numRuns: 200, seed: 9 })
  let id = 0
  await importRows(
    archive,
    crowds.flatMap((ratings, place) =>
      ratings.map((rating, user_id) => {
        id += 1
        const prediction = String((id % 7) - 3)
        const symbol = `S${String(999 - place)}`
        return makeRating({ id, user_id, symbol, rating, prediction, created_at: START })
      }),
    ),
  )
  for (const [column, direction, key] of [
    ['consensus', 'desc', 'consensus_low'],
    ['consensus', 'asc', 'consensus_high'],
    ['dispersion', 'desc', 'dispersion'],
    ['avg_prediction', 'desc', 'prediction_shrunk'],
  ] as const) {
    const query = { ...sortedBy(column, direction), per_page: 500 }
    const { rows } = await selectSymbols(archive.reader, query, { at: START + DAY })
    const places = rows.map((row) => ({ figure: Number(row[key]), symbol: row.symbol }))
    const sign = direction === 'desc' ? -1 : 1
    const sorted = places.toSorted(
      (a, b) => sign * (a.figure - b.figure) || (a.symbol < b.symbol ? -1 : 1),
    )
    expect(places).toEqual(sorted)
    expect(new Set(places.map(({ figure }) => figure)).size, 'there are ties').toBeLessThan(200)
  }
  await archive.close()
})

describe('look-ups', () => {
  const KNOWN_TO = START + 40 * DAY

  async function openLookedUp(looked: readonly { symbol: string; created_at: number }[]) {
    const archive = await openMemory()
    await importRows(archive, [
      makeRating({ id: 1, symbol: 'A', expired_at: START + DAY }),
      makeRating({ id: 2, symbol: 'B' }),
      makeRating({ id: 3, symbol: 'C' }),
    ])
    const columns = ['symbol', 'created_at'] as const
    const edition = { edition: '2024-03-03', sha256: 'a', knownTo: KNOWN_TO, columns }
    await archive.lookups.replace(edition, async ({ append }) => {
      const records = looked.map(({ symbol, created_at }, index) => ({
        line: index + 2,
        cells: [symbol, String(created_at), '', '', ''],
        problem: null,
      }))
      await append(records)
    })
    return archive
  }

  const countsAt = async (archive: Archive, at: number) =>
    (await selectSymbols(archive.reader, sortedBy('lookups_30d'), { at })).rows.map(
      ({ symbol, lookups_30d: count }) => [symbol, count],
    )

  test('are counted over the last 30 days that are known, and none counts as 0 in the order', async () => {
    const end = KNOWN_TO
    const archive = await openLookedUp([
      { symbol: 'b', created_at: end - 1 },
      { symbol: 'B', created_at: end - 30 * DAY },
      { symbol: 'B', created_at: end - 30 * DAY - 1 },
      { symbol: 'NOBODY RATED', created_at: end - 1 },
    ])
    const counts = [
      ['B', 2],
      ['A', 0],
      ['C', 0],
    ]
    expect(await countsAt(archive, end + 9 * DAY)).toEqual(counts)
    expect(await countsAt(archive, end - 2)).toEqual(counts)
    await archive.close()
  })

  test('are null before the first one', async () => {
    const archive = await openLookedUp([{ symbol: 'B', created_at: START + 9 * DAY }])
    expect(await countsAt(archive, START + 8 * DAY)).toEqual([
      ['A', null],
      ['B', null],
      ['C', null],
    ])
    await archive.close()
  })
})
