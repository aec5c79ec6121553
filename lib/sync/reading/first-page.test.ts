import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'
import { toPage } from '#testing/sync/page-listing.ts'
import { down, range, toRating } from '#testing/sync/scripted-service.ts'
import { findFirstPage } from './first-page.ts'

const newest = range(1, 40)
  .map((id) => toRating(id))
  .reverse()
const oldest = [...newest].reverse()
const part = (rows: typeof newest, index: number) =>
  toPage(1, rows.slice(index * 10, index * 10 + 10))
const EMPTY = toPage(1, [])
const broken = { ...EMPTY, rows: [{ ok: false as const, reason: 'x', raw: '{}' }] }
const refused = () => new AppError('upstream_contract', 'No such page.')

type Answer = ServicePage | AppError

async function find(answers: Record<0 | 1, Answer[]>, isLonger = true) {
  const asked: number[] = []
  const read = async (number: 0 | 1) => {
    const answer =
      answers[number][asked.filter((one) => one === number).length] ?? answers[number].at(-1)
    asked.push(number)
    if (!answer || answer instanceof AppError) throw answer
    return answer
  }
  const { number, page } = await findFirstPage({ read, one: null, isLonger: () => isLonger })
  return { number, page, asked: asked.join(' ') }
}

describe('the first page is', () => {
  test.each<[string, Answer[], Answer[], 0 | 1 | null, ServicePage, string]>([
    [
      'page 0 where it goes before page 1',
      [part(newest, 0)],
      [part(newest, 1)],
      0,
      part(newest, 0),
      '1 0 1',
    ],
    [
      'page 0 where the oldest come first',
      [part(oldest, 0)],
      [toPage(1, oldest.slice(10, 12))],
      0,
      part(oldest, 0),
      '1 0 1',
    ],
    ['page 0 where page 1 has no rows', [part(newest, 0)], [EMPTY], 0, part(newest, 0), '1 0'],
    ['page 0 where page 1 is refused', [part(newest, 0)], [refused()], 0, part(newest, 0), '1 0'],
    [
      'page 1 where page 0 is the same',
      [part(newest, 0)],
      [part(newest, 0)],
      1,
      part(newest, 0),
      '1 0',
    ],
    [
      'page 1 where page 0 is the last',
      [part(newest, 3)],
      [part(newest, 0)],
      1,
      part(newest, 0),
      '1 0 1',
    ],
    ['page 1 where page 0 has no rows', [EMPTY], [part(newest, 0)], 1, part(newest, 0), '1 0'],
    [
      'page 1 where page 0 is refused',
      [refused()],
      [part(newest, 0)],
      1,
      part(newest, 0),
      '1 0 1 0',
    ],
    ['page 1 where page 0 is an outage', [down()], [part(newest, 0)], 1, part(newest, 0), '1 0 1'],
    ['page 1 where nothing on it is a rating, nor on page 0', [broken], [broken], 1, broken, '1 0'],
    [
      'page 0 where it was refused once only',
      [refused(), part(newest, 0)],
      [part(newest, 1)],
      0,
      part(newest, 0),
      '1 0 1 0 1',
    ],
    ['unknown where nothing is listed', [EMPTY], [EMPTY], null, EMPTY, '1 0'],
  ])('%s', async (_, zero, one, number, page, asked) => {
    expect(await find({ 0: zero, 1: one })).toEqual({ number, page, asked })
  })

  test('unknown where one page is all there is and is given for both numbers', async () => {
    const found = await find({ 0: [part(newest, 0)], 1: [part(newest, 0)] }, false)
    expect(found).toMatchObject({ number: null, page: part(newest, 0) })
  })
})
