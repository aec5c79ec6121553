import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EVERY_RATING, RATING_SORTS, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { holdAgainstCounting } from './against-counting.test-support.ts'
import {
  aRatingsQuery,
  importRows,
  makeRating,
  openMemory,
  START,
} from './arbitrary.test-support.ts'
import {
  deriveRows,
  type OracleRow,
  pageOf,
  passes,
  sortRows,
  stateOf,
  vanishedAt,
} from './oracle.test-support.ts'
import { streamRatings } from './stream-ratings.test-support.ts'

const toAnswer = (query: RatingsQuery, at: number) => (row: OracleRow) => {
  const { effectiveUntil: _effectiveUntil, quality: _quality, ...fields } = row
  const instant = query.asof ?? at
  return { ...fields, state: stateOf(row, instant), vanished_at: vanishedAt(row, instant) }
}

test('a page holds the rows, the order, the total and the states that plain counting gives', async () => {
  const effort = { communities: 40, questions: 10 }
  let [asked, answered] = [0, 0]
  await holdAgainstCounting(aRatingsQuery, effort, async ({ archive, rows, asked: query, at }) => {
    const passing = sortRows(
      rows.filter((row) => passes(row, query, at)),
      query,
    )
    const answer = await archive.selectRatings(query, { at })
    expect(answer.total).toBe(passing.length)
    expect(answer.rows).toEqual(pageOf(passing, query).map(toAnswer(query, at)))
    const streamed = []
    for await (const batch of streamRatings(archive, query, { at })) streamed.push(...batch)
    expect(streamed).toEqual(passing.map(toAnswer(query, at)))
    asked += 1
    answered += answer.total > 0 ? 1 : 0
  })
  // Questions that nothing answers would prove little.
  expect(answered / asked).toBeGreaterThan(0.25)
}, 120_000)

test('every column sorts both ways, ties by id, and what has no value comes last', async () => {
  const effort = { communities: 12, questions: 1 }
  await holdAgainstCounting(fc.constant(null), effort, async ({ archive, rows, at }) => {
    for (const column of RATING_SORTS) {
      for (const direction of ['asc', 'desc'] as const) {
        const query = { ...EVERY_RATING, sort: { column, direction }, per_page: 500 }
        const answer = await archive.selectRatings(query, { at })
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
        const answer = await archive.selectRatings(query, { at: START + 100 })
        expect(answer.total).toBe(1230)
        expect(answer.rows.map((row) => row.id)).toEqual(expected)
      }
    }
  }
  for (const page of [26, 9999999]) {
    const past = await archive.selectRatings({ ...EVERY_RATING, page }, { at: START })
    expect(past).toEqual({ rows: [], total: 1230 })
  }
  await archive.close()
})

test('a stream holds the generation that it began with, in batches, and ends when its reader stops', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 9000 }, (_, id) => makeRating({ id, user_id: id }))
  await importRows(archive, community)
  const sizes: number[] = []
  for await (const batch of streamRatings(archive, EVERY_RATING, { at: START })) {
    if (sizes.length === 0) await importRows(archive, [makeRating({ id: 10_000 })])
    sizes.push(batch.length)
  }
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(9000)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2048)
  for await (const batch of streamRatings(archive, EVERY_RATING, { at: START })) {
    expect(batch[0]?.id).toBe(10_000)
    break
  }
  expect(archive.state().ratings).toBe(9001)
  await archive.close()
})

test('an aborted question is refused as busy, before and while it runs', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 5000 }, (_, id) => makeRating({ id, user_id: id }))
  await importRows(archive, community)
  const gone = AbortSignal.abort()
  await expect(
    archive.selectRatings(EVERY_RATING, { at: START, signal: gone }),
  ).rejects.toMatchObject({ fault: 'busy' })
  const controller = new AbortController()
  const read = async () => {
    const options = { at: START, signal: controller.signal }
    for await (const _batch of streamRatings(archive, EVERY_RATING, options)) controller.abort()
  }
  await expect(read()).rejects.toMatchObject({ fault: 'busy' })
  const waiting = Array.from({ length: 8 }, () => new AbortController())
  const questions = waiting.map(async ({ signal }) =>
    archive.selectFacets(EVERY_RATING, { at: START, signal }),
  )
  for (const one of waiting) one.abort()
  const results = await Promise.allSettled(questions)
  expect(results.map((result) => result.status)).toEqual(Array(8).fill('rejected'))
  expect((await archive.selectRatings(EVERY_RATING, { at: START })).total).toBe(5000)
  await archive.close()
})
