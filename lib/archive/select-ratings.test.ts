import { expect, test } from 'vitest'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
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
} from './oracle.test-support.ts'

const toAnswer = (query: RatingsQuery, at: number) => (row: OracleRow) => {
  const { effectiveUntil: _effectiveUntil, ...fields } = row
  return { ...fields, state: stateOf(row, query.asof ?? at) }
}

test('a page holds the rows, the order, the total and the states that plain counting gives', async () => {
  const effort = { communities: 30, questions: 8 }
  await holdAgainstCounting(aRatingsQuery, effort, async ({ archive, rows, asked: query, at }) => {
    const passing = sortRows(
      rows.filter((row) => passes(row, query, at)),
      query,
    )
    const answer = await archive.selectRatings(query, { at })
    expect(answer.total).toBe(passing.length)
    expect(answer.rows).toEqual(pageOf(passing, query).map(toAnswer(query, at)))
    const streamed = []
    for await (const batch of archive.streamRatings(query, { at })) streamed.push(...batch)
    expect(streamed).toEqual(passing.map(toAnswer(query, at)))
  })
})

test('a page far behind holds what it would if it were near', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 1200 }, (_, id) =>
    makeRating({ id, user_id: id % 7, created_at: START + (id % 50) }),
  )
  await importRows(archive, community)
  const query = { ...EVERY_RATING, page: 23, per_page: 50 }
  const expected = pageOf(sortRows(deriveRows(community), query), query).map((row) => row.id)
  const { rows, total } = await archive.selectRatings(query, { at: START + 100 })
  expect(total).toBe(1200)
  expect(rows.map((row) => row.id)).toEqual(expected)
  expect((await archive.selectRatings({ ...query, page: 9999999 }, { at: START })).rows).toEqual([])
  await archive.close()
})

test('a stream holds the generation that it began with, in batches, and ends when its reader stops', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 9000 }, (_, id) => makeRating({ id, user_id: id }))
  await importRows(archive, community)
  const sizes: number[] = []
  for await (const batch of archive.streamRatings(EVERY_RATING, { at: START })) {
    if (sizes.length === 0) await importRows(archive, [makeRating({ id: 10_000 })])
    sizes.push(batch.length)
  }
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(9000)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2048)
  for await (const batch of archive.streamRatings(EVERY_RATING, { at: START })) {
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
    for await (const _batch of archive.streamRatings(EVERY_RATING, options)) controller.abort()
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
