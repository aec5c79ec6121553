import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RatingDetail, RatingHistory } from '#lib/contract/answers/ratings.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { EVERY_RATING, RATING_SORTS, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import {
  anInstant,
  aRatingsQuery,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import {
  deriveRows,
  endedOf,
  keyOf,
  type OracleRow,
  pageOf,
  passes,
  sortRows,
  stateOf,
  toFields,
  vanishedAt,
} from '#testing/archive/oracle.ts'
import { streamRatings } from '#testing/archive/stream-ratings.ts'
import { selectFacets } from './facets.ts'
import { selectRating, selectRatings } from './ratings.ts'

const toAnswer = (query: RatingsQuery, at: number) => (row: OracleRow) => {
  const { quality: _quality, ...fields } = toFields(row)
  const instant = query.asof ?? at
  return {
    ...fields,
    state: stateOf(row, instant),
    vanished_at: vanishedAt(row, instant),
    ended: endedOf(row, instant),
  }
}

test('a page holds the rows, the order, the total and the states that plain counting gives', async () => {
  const effort = { communities: 24, questions: 8 }
  let [asked, answered] = [0, 0]
  await holdAgainstCounting(aRatingsQuery, effort, async ({ archive, rows, asked: query, at }) => {
    const passing = sortRows(
      rows.filter((row) => passes(row, query, at)),
      query,
    )
    const answer = await selectRatings(archive.reader, query, { at })
    expect(answer.total).toBe(passing.length)
    expect(answer.rows).toEqual(pageOf(passing, query).map(toAnswer(query, at)))
    const streamed = []
    for await (const batch of streamRatings(archive, query, { at })) streamed.push(...batch)
    expect(streamed).toEqual(passing.map(toAnswer(query, at)))
    asked += 1
    answered += answer.total > 0 ? 1 : 0
  })
  expect(answered / asked).toBeGreaterThan(0.25)
}, 120_000)

test('every column sorts both ways, ties by id, and what has no value comes last', async () => {
  const effort = { communities: 4, questions: 1 }
  await holdAgainstCounting(fc.constant(null), effort, async ({ archive, rows, at }) => {
    for (const column of RATING_SORTS) {
      for (const direction of ['asc', 'desc'] as const) {
        const query = { ...EVERY_RATING, sort: { column, direction }, per_page: 500 }
        const answer = await selectRatings(archive.reader, query, { at })
        const sorted = sortRows(rows, query).map((row) => row.id)
        expect(
          answer.rows.map((row) => row.id),
          `${column} ${direction}`,
        ).toEqual(sorted)
      }
    }
  })
})

test('a page far behind holds what it would if it were near, from whichever end it is found', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 1230 }, (_, id) =>
    makeRating({
      id,
      user_id: id % 7,
      created_at: START + (id % 50),
      expired_at: id % 3 === 0 ? null : START + (id % 40),
    }),
  )
  await importRows(archive, community)
  const rows = deriveRows(community)
  for (const column of ['created_at', 'expired_at', 'id'] as const) {
    for (const direction of ['asc', 'desc'] as const) {
      for (const page of [11, 12, 20, 24, 25]) {
        const query = { ...EVERY_RATING, sort: { column, direction }, page, per_page: 50 }
        const expected = pageOf(sortRows(rows, query), query).map((row) => row.id)
        const answer = await selectRatings(archive.reader, query, { at: START + 100 })
        expect(answer.total).toBe(1230)
        expect(answer.rows.map((row) => row.id)).toEqual(expected)
      }
    }
  }
  for (const page of [26, 9999999]) {
    const past = await selectRatings(archive.reader, { ...EVERY_RATING, page }, { at: START })
    expect(past).toEqual({ rows: [], total: 1230 })
  }
  await archive.close()
})

test('a stream holds the generation that it began with, in batches, and ends when its reader stops', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 4500 }, (_, id) => makeRating({ id, user_id: id }))
  await importRows(archive, community)
  const sizes: number[] = []
  for await (const batch of streamRatings(archive, EVERY_RATING, { at: START })) {
    if (sizes.length === 0) await importRows(archive, [makeRating({ id: 10_000 })])
    sizes.push(batch.length)
  }
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(4500)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2048)
  for await (const batch of streamRatings(archive, EVERY_RATING, { at: START })) {
    expect(batch[0]?.id).toBe(10_000)
    break
  }
  expect(archive.state().ratings).toBe(4501)
  await archive.close()
})

test('an aborted question is refused as busy, before and while it runs', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 5000 }, (_, id) => makeRating({ id, user_id: id }))
  await importRows(archive, community)
  const gone = AbortSignal.abort()
  await expect(
    selectRatings(archive.reader, EVERY_RATING, { at: START, signal: gone }),
  ).rejects.toMatchObject({ fault: 'busy' })
  const controller = new AbortController()
  const read = async () => {
    const options = { at: START, signal: controller.signal }
    for await (const _batch of streamRatings(archive, EVERY_RATING, options)) controller.abort()
  }
  await expect(read()).rejects.toMatchObject({ fault: 'busy' })
  const waiting = Array.from({ length: 8 }, () => new AbortController())
  const questions = waiting.map(async ({ signal }) =>
    selectFacets(archive.reader, EVERY_RATING, { at: START, signal }),
  )
  for (const one of waiting) one.abort()
  const results = await Promise.allSettled(questions)
  expect(results.map((result) => result.status)).toEqual(Array(8).fill('rejected'))
  expect((await selectRatings(archive.reader, EVERY_RATING, { at: START })).total).toBe(5000)
  await archive.close()
})

const HISTORY = 200

function countedRating(rows: readonly OracleRow[], id: number, asof: number | null, at: number) {
  const known = rows.filter((row) => asof === null || row.created_at <= asof)
  const row = known.find((one) => one.id === id)
  if (!row) return null
  const own = known
    .filter((other) => other.user_id === row.user_id && keyOf(other) === keyOf(row))
    .sort((a, b) => a.created_at - b.created_at || a.id - b.id)
  const next = own[own.indexOf(row) + 1]
  const gone = asof === null ? row.vanished_at : vanishedAt(row, asof)
  const until = Math.min(next?.created_at ?? Infinity, row.expired_at || Infinity, gone ?? Infinity)
  const { quality: _quality, ...fields } = toFields(row)
  const before = Math.max(0, Math.min(own.indexOf(row) - HISTORY / 2 + 1, own.length - HISTORY))
  return {
    rating: {
      ...fields,
      state: stateOf(row, asof ?? at),
      vanished_at: vanishedAt(row, asof ?? at),
      ended: endedOf(row, asof ?? at),
      effective_until: until === Infinity ? null : until,
    },
    history: {
      total: own.length,
      before,
      ratings: own.slice(before, before + HISTORY).map((item) => ({
        id: item.id,
        created_at: item.created_at,
        rating: item.rating,
        rating_label: item.rating_label,
        action: item.action,
        action_label: item.action_label,
        prediction: item.prediction,
        expired_at: item.expired_at,
        state: stateOf(item, asof ?? at),
      })),
    },
  }
}

type RatingWithHistory = { rating: RatingDetail; history: RatingHistory } | null

const withoutExtra = (found: RatingWithHistory) => {
  if (!found) return null
  const { extra: _extra, ...rating } = found.rating
  return { rating, history: found.history }
}

test('a rating has the fields, the state, the end and the history that plain counting gives', async () => {
  const asked = fc.record({
    id: fc.integer({ min: 0, max: 61 }),
    asof: fc.option(anInstant, { freq: 2 }),
  })
  const effort = { communities: 16, questions: 10 }
  await holdAgainstCounting(asked, effort, async ({ archive, rows, asked: { id, asof }, at }) => {
    expect(withoutExtra(await selectRating(archive.reader, { id, asof }, { at }))).toEqual(
      countedRating(rows, id, asof, at),
    )
  })
})

async function openWith(rows: readonly IncomingRating[]) {
  const archive = await openMemory()
  await importRows(archive, rows)
  return archive
}

test.each([0, -12, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
  'the rating %d is found, whatever a service counts from',
  async (id) => {
    const archive = await openWith([makeRating({ id, created_at: START })])
    const found = await selectRating(archive.reader, { id, asof: null }, { at: START })
    expect(found?.rating.id).toBe(id)
    expect(found?.history).toMatchObject({ total: 1, before: 0, ratings: [{ id }] })
    await archive.close()
  },
)

test('fields that the specification does not know come back as they came', async () => {
  const extra = {
    note: '<b>&\u202e',
    deep: [{ a: [1, null, { b: '' }] }, -0.5, true],
    long: 'x'.repeat(50_000),
    __proto: { polluted: true },
  }
  const archive = await openWith([
    { ...makeRating({ id: 1 }), extra },
    makeRating({ id: 2, user_id: 2 }),
  ])
  expect(
    (await selectRating(archive.reader, { id: 1, asof: null }, { at: START }))?.rating.extra,
  ).toEqual(extra)
  expect(
    (await selectRating(archive.reader, { id: 2, asof: null }, { at: START }))?.rating.extra,
  ).toBeNull()
  await archive.close()
})

test.each([
  [1, 0],
  [150, 50],
  [431, 231],
])(
  'of a long history, those around the rating %d are listed, and how many lie before',
  async (id, before) => {
    const rows = Array.from({ length: 431 }, (_, index) => makeRating({ id: index + 1 }))
    const archive = await openWith(rows)
    const found = await selectRating(archive.reader, { id, asof: null }, { at: START })
    expect(found?.history).toMatchObject({ total: 431, before })
    expect(found?.history.ratings.map((item) => item.id)).toEqual(
      rows.slice(before, before + HISTORY).map(({ rating }) => rating.id),
    )
    await archive.close()
  },
)

test('a rating never stands apart from its history, while rows are imported', async () => {
  const archive = await openWith([makeRating({ id: 1 })])
  let isImporting = true
  const imports = (async () => {
    for (let round = 0; round < 8; round += 1) {
      await importRows(archive, [
        makeRating({ id: 1, tally_agree: round }),
        makeRating({ id: 2 + round }),
      ])
    }
  })().finally(() => {
    isImporting = false
  })
  while (isImporting) {
    const found = await selectRating(archive.reader, { id: 1, asof: null }, { at: START })
    expect(found?.history.ratings[0]?.id).toBe(1)
  }
  await imports
  await archive.close()
})
