import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import {
  aCommunityOrCrowd,
  anInstant,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { changesOf } from '#testing/archive/changes-oracle.ts'
import { selectChanges } from './changes.ts'

const DAY = 86_400

const aPeriod = fc
  .uniqueArray(anInstant, { minLength: 2, maxLength: 2 })
  .map(([a = 0, b = 1]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))

describe('what changed in a period', () => {
  test('is what plain counting says, over any period', async () => {
    const effort = { communities: 20, questions: 4, of: aCommunityOrCrowd }
    await holdAgainstCounting(aPeriod, effort, async ({ archive, rows, asked: period }) => {
      expect(await selectChanges(archive.reader, period, {})).toEqual(changesOf(rows, period))
    })
  })

  test('holds what happened in its first second, and not what happened at its end', async () => {
    const archive = await openMemory()
    const posted = (id: number, rating: number, day: number) =>
      makeRating({ id, user_id: 1, rating, created_at: START + day * DAY })
    await importRows(archive, [posted(1, 3, 0), posted(2, 5, 7), posted(3, 1, 14)])
    const changes = await selectChanges(
      archive.reader,
      { from: START + 7 * DAY, to: START + 14 * DAY },
      {},
    )
    expect(changes).toMatchObject({ ratings: 1, active_from: 1, active_to: 1 })
    expect(changes.events).toEqual([{ kind: 'upgraded', events: 1, symbols: 1 }])
    expect(changes.minds).toMatchObject([{ id: 2, before: 3, rating: 5 }])
    await archive.close()
  })

  test('is nothing where nothing happened', async () => {
    const archive = await openMemory()
    await importRows(archive, [makeRating({ id: 3, created_at: START })])
    const { from, to, lapsing_by, ...rest } = await selectChanges(
      archive.reader,
      { from: START + DAY, to: START + 2 * DAY },
      {},
    )
    expect([from, to, lapsing_by]).toEqual([START + DAY, START + 2 * DAY, START + 3 * DAY])
    const { ratings, users, symbols, new_users, active_from, active_to, ...lists } = rest
    expect([ratings, users, symbols, new_users, active_from, active_to]).toEqual([0, 0, 0, 0, 1, 1])
    expect(Object.values(lists).flat()).toEqual([])
    await archive.close()
  })
})
