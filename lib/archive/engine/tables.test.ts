import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { selectFacets } from '#lib/archive/ratings/facets.ts'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import { QUALITIES, type Quality } from '#lib/contract/quality.ts'
import { parseCsvRating, parseRating, type Rating } from '#lib/contract/rating.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import {
  aCommunity,
  anInstant,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { expectFacets } from '#testing/archive/facets-oracle.ts'
import { passes } from '#testing/archive/oracle.ts'
import { readRejectedId } from './tables.ts'

const lenses = fc.subarray([...QUALITIES], { maxLength: 3 })
const aQualityQuery: fc.Arbitrary<RatingsQuery> = fc
  .record({
    quality: fc.record({ only: lenses, not: lenses }),
    asof: fc.option(anInstant, { freq: 2 }),
    rating: fc.constantFrom(only<number>(), only(5), only(1, 2, 4)),
  })
  .map((asked) => ({ ...EVERY_RATING, ...asked, per_page: 500 }))

const aHastyCommunity = aCommunity.map((community) =>
  community.map(({ rating, extra }) => ({
    extra,
    rating: {
      ...rating,
      user_id: 1 + (rating.user_id % 2),
      created_at: START + ((rating.created_at - START) % (4 * 86_400)),
    },
  })),
)

test('each lens leaves, takes out and counts the rows that its rule names in plain words', async () => {
  const effort = { communities: 32, questions: 3, of: aHastyCommunity }
  const found = new Map<Quality, number>()
  let [asked, answered] = [0, 0]
  await holdAgainstCounting(aQualityQuery, effort, async ({ archive, rows, asked: query, at }) => {
    const passing = rows.filter((row) => passes(row, query, at))
    const answer = await selectRatings(archive.reader, query, { at })
    expect(answer.rows.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
      passing.map(({ id }) => id).sort((a, b) => a - b),
    )
    const facets = await selectFacets(archive.reader, query, { at })
    expectFacets(facets, rows, { query, at })
    asked += 1
    answered += passing.length > 0 ? 1 : 0
    for (const { value, count } of facets.quality) {
      found.set(value, (found.get(value) ?? 0) + (count > 0 ? 1 : 0))
    }
  })
  expect(answered / asked).toBeGreaterThan(0.25)
  for (const name of QUALITIES) expect(found.get(name), name).toBeGreaterThan(0)
}, 120_000)

test('a lens begins exactly where its rule says', async () => {
  const archive = await openMemory()
  const [day, other] = [START + 86_400, START + 86_399]
  await importRows(archive, [
    makeRating({
      id: 1,
      user_id: 1,
      action: 4,
      rating: 5,
      prediction: '-0.000001',
      created_at: START,
    }),
    makeRating({
      id: 2,
      user_id: 1,
      action: 4,
      rating: 2,
      prediction: '99.999999',
      created_at: other,
    }),
    makeRating({ id: 3, user_id: 2, action: 4, rating: 1, prediction: '-100', created_at: START }),
    makeRating({ id: 4, user_id: 2, action: 2, rating: 4, prediction: '100', created_at: day }),
    makeRating({ id: 5, user_id: 3, action: 2, rating: 3, expired_at: 0 }),
    makeRating({ id: 6, user_id: 3, action: 2, rating: 3, created_at: day, expired_at: day }),
    makeRating({ id: 7, user_id: 3, action: 1, rating: 5, prediction: '0', created_at: day }),
    makeRating({ id: 8, user_id: 4, action: 1, rating: 3, created_at: START, expired_at: day }),
  ])
  const idsOf = async (name: Quality) => {
    const query = { ...EVERY_RATING, quality: only(name) }
    const { rows } = await selectRatings(archive.reader, query, { at: day })
    return rows.map(({ id }) => id).sort()
  }
  expect(await idsOf('strong_buy_negative')).toEqual([1])
  expect(await idsOf('upgraded_false')).toEqual([5, 6])
  expect(await idsOf('initiated_twice')).toEqual([7])
  expect(await idsOf('expired_before_created')).toEqual([6])
  expect(await idsOf('extreme_prediction')).toEqual([3, 4])
  expect(await idsOf('flip_within_day')).toEqual([2])
  await archive.close()
})

test('a rating that comes late changes what the one behind it falls under', async () => {
  const archive = await openMemory()
  const at = START + 90_000
  const lensesOf = async () => {
    const { quality } = await selectFacets(archive.reader, { ...EVERY_RATING, id: only(2) }, { at })
    return quality.filter(({ count }) => count > 0).map(({ value }) => value)
  }
  await importRows(archive, [makeRating({ id: 2, action: 1, rating: 5, created_at: at })])
  expect(await lensesOf()).toEqual([])
  await importRows(archive, [makeRating({ id: 1, rating: 1, created_at: START })])
  expect(await lensesOf()).toEqual(['initiated_twice'])
  await importRows(archive, [makeRating({ id: 1, rating: 1, created_at: START + 80_000 })])
  expect(await lensesOf()).toEqual(['initiated_twice', 'flip_within_day'])
  await archive.close()
})

const CSV = resolve('../shared/data/broker-ratings.csv')

const readRows = (): Rating[] =>
  Papa.parse<Record<string, string>>(readFileSync(CSV, 'utf8'), {
    header: true,
    skipEmptyLines: true,
  }).data.map((row) => ({
    id: Number(row.id),
    user_id: Number(row.user_id),
    symbol: row.symbol ?? '',
    rating: Number(row.rating),
    rating_label: row.rating_label ?? '',
    action: Number(row.action),
    action_label: row.action_label ?? '',
    prediction: row.prediction ?? '',
    tally_agree: Number(row.tally_agree),
    tally_disagree: Number(row.tally_disagree),
    tally_comment: Number(row.tally_comment),
    created_at: Number(row.created_at),
    created_at_date: row.created_at_date ?? '',
    expired_at: row.expired_at ? Number(row.expired_at) : null,
    expired_at_date: row.expired_at_date || null,
  }))

function countPlainly(rows: readonly Rating[]) {
  const count = {
    strong_buy_negative: 0,
    upgraded_false: 0,
    initiated_twice: 0,
    expired_before_created: 0,
    extreme_prediction: 0,
    flip_within_day: 0,
    vanished: 0,
  }
  const last = new Map<string, Rating>()
  for (const row of [...rows].sort((a, b) => a.created_at - b.created_at || a.id - b.id)) {
    const own = `${row.user_id} ${toSymbolKey(row.symbol)}`
    const before = last.get(own)
    last.set(own, row)
    if (row.rating === 5 && Number(row.prediction) < 0) count.strong_buy_negative += 1
    if (Math.abs(Number(row.prediction)) >= 100) count.extreme_prediction += 1
    if (row.expired_at && row.expired_at <= row.created_at) count.expired_before_created += 1
    if (row.action === 1 && before) count.initiated_twice += 1
    if (row.action === 2 && (!before || before.rating >= row.rating)) count.upgraded_false += 1
    if (!before || row.created_at - before.created_at >= 86_400) continue
    const [low, high] = [Math.min(row.rating, before.rating), Math.max(row.rating, before.rating)]
    if (low <= 2 && high >= 4) count.flip_within_day += 1
  }
  return count
}

test.skipIf(!existsSync(CSV))(
  'each lens counts on real ratings what a plain walk through them counts',
  async () => {
    const rows = readRows()
    const archive = await openMemory()
    await importRows(
      archive,
      rows.map((rating) => ({ rating, extra: null })),
    )
    const { quality } = await selectFacets(archive.reader, EVERY_RATING, { at: START })
    expect(Object.fromEntries(quality.map(({ value, count }) => [value, count]))).toEqual(
      countPlainly(rows),
    )
    await archive.close()
  },
  60_000,
)

test.each<[string, number | null]>([
  ['{"id":12,"user_id":3}', 12],
  ['{"user_id":3,"id":"12"}', 12],
  ['{"id":-4}', -4],
  ['["77","3","AAPL"]', 77],
  ['{"note":"{\\"id\\":5,","id":8}', 8],
  ['{"meta":{"id":5},"id":8}', 8],
  ['{"id":1.5}', null],
  ['{"id":"1e3"}', null],
  ['{"id":9007199254740993}', null],
  ['{"id":null}', null],
  ['{"id":[7]}', null],
  ['{}', null],
  ['[]', null],
  ['null', null],
  ['7', null],
  ['no JSON', null],
  ['', null],
])('of %s the id is %s', (raw, id) => {
  expect(readRejectedId(raw)).toBe(id)
})

test('the id of a row that is kept cut off is read, and no number within a text is taken for it', () => {
  const long = 'x'.repeat(9000)
  const kept = (value: object) => {
    const row = parseRating(value)
    return row.ok ? '' : row.raw
  }
  expect(readRejectedId(kept({ id: 9, note: long }))).toBe(9)
  expect(readRejectedId(kept({ note: '{"id":5,', id: 9, more: long }))).toBe(9)
  expect(readRejectedId(kept({ note: `{"id":5,${long}`, id: 9 }))).toBe(null)
})

test('a record of a dump with a cell too many keeps its id', () => {
  const row = parseCsvRating(['id', 'user_id'], ['31', '4', 'AA'])
  expect(row.ok ? null : readRejectedId(row.raw)).toBe(31)
})
