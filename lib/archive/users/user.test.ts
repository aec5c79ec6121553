import { expect, test } from 'vitest'
import { importRows, makeRating, openMemory, START } from '#testing/archive/arbitrary.ts'
import { selectUser, selectUserRatings } from './user.ts'

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
  expect((await selectUser(archive.reader, 1, { at: START + 5 * DAY }))?.ratings).toBe(1)
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

test('of many ratings the latest symbols are listed, all are counted', async () => {
  const many = Array.from({ length: 1200 }, (_, index) => ({
    id: 100 + index,
    rating: 5,
    symbol: `S${index % 60}`,
    created_at: START + index * 60,
  }))
  const archive = await openCrowd(many)
  const ratings = await selectUserRatings(archive.reader, 1, { at: LATER })
  expect(ratings).toMatchObject({ symbols_total: 60, calls_total: many.length })
  expect(ratings?.symbols).toHaveLength(40)
  expect(ratings?.symbols[0]?.symbol).toBe('S59')
  await archive.close()
})
