import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import {
  aCommunityOrCrowd,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { overviewOf } from '#testing/archive/league-oracle.ts'
import { selectOverview } from './overview.ts'

const DAY = 86_400

describe('the overview', () => {
  test('lists what plain counting lists, in its order, at any instant', async () => {
    const effort = { communities: 12, questions: 6, of: aCommunityOrCrowd }
    await holdAgainstCounting(fc.constant(null), effort, async ({ archive, rows, at }) => {
      expect(await selectOverview(archive.reader, { at })).toEqual(overviewOf(rows, at))
    })
  })

  test('is empty before the first rating', async () => {
    const archive = await openMemory()
    await importRows(archive, [makeRating({ id: 1, created_at: START })])
    const { since, ...lists } = await selectOverview(archive.reader, { at: START - 1 })
    expect(since).toBe(START - 1 - 7 * DAY)
    expect(Object.values(lists).flat()).toEqual([])
    await archive.close()
  })

  test('three opinions of which one has turned do not lead the moves of thirty', async () => {
    const archive = await openMemory()
    const posted = (id: number, symbol: string, rating: number) =>
      makeRating({ id, user_id: id, symbol, rating, created_at: START })
    const turned = (id: number, user_id: number, symbol: string) =>
      makeRating({ id, user_id, symbol, rating: 5, created_at: START + 9 * DAY })
    await importRows(archive, [
      ...Array.from({ length: 3 }, (_, index) => posted(1 + index, 'FEW', 3)),
      turned(500, 1, 'FEW'),
      ...Array.from({ length: 30 }, (_, index) => posted(100 + index, 'MANY', 3)),
      ...Array.from({ length: 9 }, (_, index) => turned(600 + index, 100 + index, 'MANY')),
    ])
    const { moves } = await selectOverview(archive.reader, { at: START + 10 * DAY })
    expect(moves.map(({ symbol, change }) => [symbol, change])).toEqual([
      ['MANY', '0.6000'],
      ['FEW', '0.6667'],
    ])
    await archive.close()
  })
})
