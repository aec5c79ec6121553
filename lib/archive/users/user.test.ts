import { expect, test } from 'vitest'
import { JUDGED_MAX } from '#lib/contract/answers/users.ts'
import { importRows, makeRating, openMemory, START } from '#testing/archive/arbitrary.ts'
import { selectUser, selectUserRatings, selectUserRecord } from './user.ts'

const DAY = 86_400
const LATER = START + 400 * DAY

async function openCrowd(own: Parameters<typeof makeRating>[0][]) {
  const archive = await openMemory()
  const others = [2, 3, 4].map((user_id) =>
    makeRating({ id: user_id, user_id, rating: 3, created_at: START }),
  )
  await importRows(archive, [...others, ...own.map(makeRating)])
  return archive
}

test('who had not rated by then has no record, which is not an empty one', async () => {
  const archive = await openCrowd([{ id: 10, created_at: START + 5 * DAY }])
  const before = { at: START + 4 * DAY }
  expect(await selectUser(archive.reader, 1, before)).toBeNull()
  expect(await selectUserRatings(archive.reader, 1, before)).toBeNull()
  expect(await selectUserRecord(archive.reader, 1, before)).toBeNull()
  expect((await selectUser(archive.reader, 1, { at: START + 5 * DAY }))?.ratings).toBe(1)
  await archive.close()
})

test('a user with one rating is judged on it alone', async () => {
  const archive = await openCrowd([{ id: 10, rating: 5, created_at: START + DAY }])
  const early = await selectUserRecord(archive.reader, 1, { at: START + 2 * DAY })
  expect(early?.distance).toEqual({
    n: 1,
    mean: '2.0000',
    size: '2.0000',
    gaps: [{ gap: 2, count: 1 }],
  })
  expect(early?.lead).toEqual({ n: 0, towards: 0, away: 0, still: 0, chance: null })
  const late = await selectUserRecord(archive.reader, 1, { at: LATER })
  expect(late?.lead).toEqual({ n: 1, towards: 0, away: 0, still: 1, chance: '0.0000' })
  await archive.close()
})

test('an end is told by what the user did next', async () => {
  const archive = await openCrowd([
    { id: 10, symbol: 'R', created_at: START, expired_at: START + 10 * DAY },
    { id: 11, symbol: 'R', created_at: START + 10 * DAY, expired_at: START + 20 * DAY },
    { id: 12, symbol: 'R', created_at: START + 30 * DAY, expired_at: START + 40 * DAY },
    { id: 13, symbol: 'R', created_at: START + 50 * DAY, expired_at: START + 45 * DAY },
    { id: 14, symbol: 'L', created_at: START, expired_at: START + DAY },
    { id: 15, symbol: 'A', created_at: START, expired_at: 0 },
  ])
  const record = await selectUserRecord(archive.reader, 1, { at: LATER })
  expect(record?.persistence).toEqual({ ended: 5, renewed: 1, returned: 2, lapsed: 1, never: 1 })
  const ratings = await selectUserRatings(archive.reader, 1, { at: LATER })
  expect(
    ratings?.symbols.find(({ symbol }) => symbol === 'R')?.calls.map((one) => one.ended),
  ).toEqual(['expired', 'expired', 'expired', 'expired'])
  expect(ratings?.symbols.find(({ symbol }) => symbol === 'A')?.calls[0]).toMatchObject({
    until: null,
    ended: null,
  })
  await archive.close()
})

test('what was posted later had not ended anything yet', async () => {
  const archive = await openCrowd([
    { id: 10, created_at: START + DAY, expired_at: START + 90 * DAY },
    { id: 11, created_at: START + 20 * DAY },
  ])
  const then = await selectUserRatings(archive.reader, 1, { at: START + 10 * DAY })
  expect(then?.symbols[0]?.calls).toMatchObject([{ id: 10, until: START + 90 * DAY, ended: null }])
  const ahead = await selectUserRatings(archive.reader, 1, { at: LATER })
  expect(ahead?.symbols[0]?.calls).toMatchObject([
    { id: 10, until: START + 20 * DAY, ended: 'renewed' },
    { id: 11, until: null, ended: null },
  ])
  await archive.close()
})

test('activity reaches back 53 weeks, by days in UTC', async () => {
  const at = START + 400 * DAY + 5
  const archive = await openCrowd([
    { id: 10, created_at: START + 29 * DAY + 86_399 },
    { id: 11, created_at: START + 30 * DAY },
    { id: 12, created_at: at },
    { id: 13, created_at: at + 1 },
  ])
  expect((await selectUserRecord(archive.reader, 1, { at }))?.activity).toEqual([
    { day: START + 30 * DAY, count: 1 },
    { day: START + 400 * DAY, count: 1 },
  ])
  await archive.close()
})

test('of many ratings the latest are judged, all are counted', async () => {
  const many = Array.from({ length: JUDGED_MAX + 700 }, (_, index) => ({
    id: 100 + index,
    rating: 5,
    symbol: `S${index % 60}`,
    created_at: START + index * 60,
  }))
  const archive = await openCrowd(many)
  const record = await selectUserRecord(archive.reader, 1, { at: LATER })
  expect(record?.judged).toBe(JUDGED_MAX)
  expect(record?.persistence).toMatchObject({ ended: many.length - 60, renewed: many.length - 60 })
  const ratings = await selectUserRatings(archive.reader, 1, { at: LATER })
  expect(ratings).toMatchObject({ symbols_total: 60, calls_total: many.length })
  expect(ratings?.symbols).toHaveLength(40)
  expect(ratings?.symbols[0]?.symbol).toBe('S59')
  await archive.close()
})
