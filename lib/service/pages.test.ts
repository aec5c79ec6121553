import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { toDateText } from '#lib/contract/instant-text.ts'
import { type Rating, rating } from '#lib/contract/rating.ts'
import { ACTION_LABELS, RATING_LABELS } from '#lib/contract/rating-codes.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { NOON, openService, type TestService } from './service.test-support.ts'

const pageAnswer = z.object({
  success: z.literal(true),
  code: z.literal(200),
  data: z.array(z.strictObject(rating.shape)),
})

async function readPage(service: TestService, page: number): Promise<Rating[]> {
  const response = await service.get(`/api/v1/posts?page=${page}`)
  expect(response.status).toBe(200)
  return pageAnswer.parse(await response.json()).data
}

async function readAll(service: TestService): Promise<Rating[]> {
  const all: Rating[] = []
  for (let page = 1; ; page += 1) {
    const rows = await readPage(service, page)
    if (rows.length === 0) return all
    expect(rows.length).toBeLessThanOrEqual(100)
    all.push(...rows)
  }
}

const demo = (ratings: number, seed = 1, tailSeconds = 0) =>
  ({ kind: 'demo', ratings, seed, tailSeconds }) as const

test('walking the pages gives every rating once, newest first by id', async () => {
  const service = await openService({ source: demo(1234) })
  const ids = (await readAll(service)).map(({ id }) => id)
  expect(ids).toEqual(Array.from({ length: 1234 }, (_, index) => 1234 - index))
})

test('a rating has the 15 fields in the order of the specification and obeys its rules', async () => {
  const service = await openService()
  const text = await (await service.get('/api/v1/posts')).text()
  const rows: Rating[] = JSON.parse(text).data
  expect(rows).toHaveLength(100)
  for (const row of rows) {
    expect(Object.keys(row)).toEqual([...RATING_FIELDS])
    expect(row.rating_label).toBe(RATING_LABELS[row.rating])
    expect(row.action_label).toBe(ACTION_LABELS[row.action])
    expect(row.prediction).toMatch(/^-?\d+\.\d\d$/)
    expect(row.created_at_date).toBe(toDateText(row.created_at))
    expect(row.expired_at_date).toBe(toDateText(row.expired_at ?? -1))
  }
})

test('page 1 is the default, and a page past the end is an empty success', async () => {
  const service = await openService({ source: demo(150) })
  expect(await (await service.get('/api/v1/posts')).json()).toEqual(
    await (await service.get('/api/v1/posts?page=1')).json(),
  )
  expect(await readPage(service, 2)).toHaveLength(50)
  for (const page of [3, 4, 9_999_999]) expect(await readPage(service, page)).toEqual([])
})

test('an empty community has an empty first page', async () => {
  const service = await openService({ source: demo(0) })
  expect(await readPage(service, 1)).toEqual([])
})

test('a page deep in the past reads no more rows than the first one', async () => {
  const service = await openService({ source: demo(300_000) })
  const { performance } = globalThis
  const toCost = async (page: number) => {
    const costs: number[] = []
    for (let run = 0; run < 7; run += 1) {
      const before = performance.now()
      await readPage(service, page)
      costs.push(performance.now() - before)
    }
    return Math.min(...costs)
  }
  await readPage(service, 2)
  const first = await toCost(1)
  expect(await toCost(2999)).toBeLessThan(first * 4 + 20)
})

test('the same seed and end give the same community, another seed another', async () => {
  const [one, same, other] = await Promise.all([
    openService({ source: demo(500, 7) }),
    openService({ source: demo(500, 7) }),
    openService({ source: demo(500, 8) }),
  ])
  const rows = await readAll(one)
  expect(await readAll(same)).toEqual(rows)
  expect(await readAll(other)).not.toEqual(rows)
})

test('an action says what the member did since the last rating on the symbol', async () => {
  const service = await openService({ source: demo(5000) })
  const said = new Map<string, number>()
  const seen = new Set<number>()
  for (const row of (await readAll(service)).toReversed()) {
    const pair = `${row.user_id} ${row.symbol}`
    const before = said.get(pair)
    const expected =
      before === undefined ? 1 : row.rating > before ? 2 : row.rating < before ? 3 : 4
    expect([row.id, row.action]).toEqual([row.id, expected])
    said.set(pair, row.rating)
    seen.add(row.action)
  }
  expect(seen).toEqual(new Set([1, 2, 3, 4]))
})

test('a prediction goes with its rating in sign, and times never descend with ids', async () => {
  const service = await openService({ source: demo(5000) })
  const rows = (await readAll(service)).toReversed()
  let before = 0
  for (const row of rows) {
    if (row.rating > 3) expect(Number(row.prediction)).toBeGreaterThan(0)
    if (row.rating < 3) expect(Number(row.prediction)).toBeLessThan(0)
    expect(row.created_at).toBeGreaterThanOrEqual(before)
    expect(row.expired_at).toBeGreaterThan(row.created_at)
    before = row.created_at
  }
  expect(before).toBeLessThan(NOON)
  expect(rows[0]?.created_at_date.slice(0, 4)).toBe('2014')
})

test('votes only grow, an early end shows when it comes, and nothing else changes', async () => {
  const service = await openService({ source: demo(4000) })
  const before = await readAll(service)
  service.clock.at += 20 * 86_400
  const later = await readAll(service)
  let grown = 0
  let ended = 0
  before.forEach((row, index) => {
    const now = later[index]
    if (!now) throw new Error('a rating is gone')
    for (const tally of ['tally_agree', 'tally_disagree', 'tally_comment'] as const) {
      expect(now[tally]).toBeGreaterThanOrEqual(row[tally])
      grown += now[tally] - row[tally]
    }
    if (now.expired_at !== row.expired_at) {
      ended += 1
      expect(now.expired_at).toBeGreaterThan(NOON)
      expect(now.expired_at).toBeLessThanOrEqual(service.clock.at)
    }
    expect(now).toEqual({
      ...row,
      tally_agree: now.tally_agree,
      tally_disagree: now.tally_disagree,
      tally_comment: now.tally_comment,
      expired_at: now.expired_at,
      expired_at_date: now.expired_at_date,
    })
  })
  expect(grown).toBeGreaterThan(0)
  expect(ended).toBeGreaterThan(0)
})

test('new ratings arrive while time passes, coherent with the old ones, and survive a restart', async () => {
  const source = demo(2000, 1, 60)
  const service = await openService({ source })
  expect(await readAll(service)).toHaveLength(2000)
  service.clock.at += 6 * 3600
  const rows = await readAll(service)
  expect(rows.length).toBeGreaterThan(2250)
  expect(rows.length).toBeLessThan(2500)
  expect(rows[0]?.created_at).toBeLessThanOrEqual(service.clock.at)
  const said = new Map<string, number>()
  for (const row of rows.toReversed()) {
    const pair = `${row.user_id} ${row.symbol}`
    const before = said.get(pair) ?? 0
    expect(row.action).toBe(
      before === 0 ? 1 : row.rating > before ? 2 : row.rating < before ? 3 : 4,
    )
    said.set(pair, row.rating)
  }
  await service.close()
  const again = await openService({ source, dir: service.dir, at: service.clock.at })
  expect(await readAll(again)).toEqual(rows)
})

test('in how many steps time passes makes no difference to what arrives', async () => {
  const source = demo(300, 3, 30)
  const [steps, leap] = [await openService({ source }), await openService({ source })]
  for (let step = 0; step < 10; step += 1) {
    steps.clock.at += 360
    await readPage(steps, 1)
  }
  leap.clock.at += 3600
  expect(await readAll(leap)).toEqual(await readAll(steps))
})

test('after a year of rest only so many ratings are caught up with, spread over the year', async () => {
  const service = await openService({ source: demo(100, 1, 5) })
  service.clock.at += 365 * 86_400
  const newest = (await readPage(service, 1))[0]
  expect(newest?.id).toBeGreaterThan(15_000)
  expect(newest?.id).toBeLessThan(25_000)
  expect(newest?.created_at).toBeGreaterThan(service.clock.at - 86_400)
})
