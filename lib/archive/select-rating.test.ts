import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RatingDetail, RatingHistory } from '#lib/contract/answers/rating-detail.ts'
import type { IncomingRating } from '#lib/contract/incoming-rating.ts'
import { holdAgainstCounting } from './against-counting.test-support.ts'
import { anInstant, importRows, makeRating, openMemory, START } from './arbitrary.test-support.ts'
import { keyOf, type OracleRow, qualityAt, stateOf, vanishedAt } from './oracle.test-support.ts'

const HISTORY = 200

/** What the archive should say, row by row over an array. */
function countedRating(rows: readonly OracleRow[], id: number, asof: number | null, at: number) {
  const known = rows.filter((row) => asof === null || row.created_at <= asof)
  const row = known.find((one) => one.id === id)
  if (!row) return null
  const own = known
    .filter((other) => other.user_id === row.user_id && keyOf(other) === keyOf(row))
    .sort((a, b) => a.created_at - b.created_at || a.id - b.id)
  // What came after `asof` had ended nothing yet.
  const next = own[own.indexOf(row) + 1]
  const gone = asof === null ? row.vanished_at : vanishedAt(row, asof)
  const until = Math.min(next?.created_at ?? Infinity, row.expired_at || Infinity, gone ?? Infinity)
  const { effectiveUntil: _until, ...fields } = row
  const before = Math.max(0, Math.min(own.indexOf(row) - HISTORY / 2 + 1, own.length - HISTORY))
  return {
    rating: {
      ...fields,
      state: stateOf(row, asof ?? at),
      vanished_at: vanishedAt(row, asof ?? at),
      quality: qualityAt(row, asof ?? at),
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

type Found = { rating: RatingDetail; history: RatingHistory } | null

const withoutExtra = (found: Found) => {
  if (!found) return null
  const { extra: _extra, ...rating } = found.rating
  return { rating, history: found.history }
}

test('a rating has the fields, the state, the end and the history that plain counting gives', async () => {
  const asked = fc.record({
    id: fc.integer({ min: 0, max: 61 }),
    asof: fc.option(anInstant, { freq: 2 }),
  })
  const effort = { communities: 25, questions: 12 }
  await holdAgainstCounting(asked, effort, async ({ archive, rows, asked: { id, asof }, at }) => {
    expect(withoutExtra(await archive.selectRating(id, asof, { at }))).toEqual(
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
    const found = await archive.selectRating(id, null, { at: START })
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
  expect((await archive.selectRating(1, null, { at: START }))?.rating.extra).toEqual(extra)
  expect((await archive.selectRating(2, null, { at: START }))?.rating.extra).toBeNull()
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
    const found = await archive.selectRating(id, null, { at: START })
    expect(found?.history).toMatchObject({ total: 431, before })
    expect(found?.history.ratings.map((item) => item.id)).toEqual(
      rows.slice(before, before + HISTORY).map(({ rating }) => rating.id),
    )
    await archive.close()
  },
)

test('a rating never stands apart from its history, while rows are imported', async () => {
  const archive = await openWith([makeRating({ id: 1 })])
  const imports = (async () => {
    for (let round = 0; round < 20; round += 1) {
      await importRows(archive, [
        makeRating({ id: 1, tally_agree: round }),
        makeRating({ id: 2 + round }),
      ])
    }
  })()
  for (let read = 0; read < 60; read += 1) {
    const found = await archive.selectRating(1, null, { at: START })
    expect(found?.history.ratings[0]?.id).toBe(1)
  }
  await imports
  await archive.close()
})
