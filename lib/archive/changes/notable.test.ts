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
import { moversOf } from '#testing/archive/league-oracle.ts'
import { selectMovers, selectNotable } from './notable.ts'

const DAY = 86_400

describe('the largest moves', () => {
  test('are what plain counting lists, in its order, at any instant', async () => {
    const effort = { communities: 12, questions: 6, of: aCommunityOrCrowd }
    await holdAgainstCounting(fc.constant(null), effort, async ({ archive, rows, at }) => {
      expect(await selectMovers(archive.reader, { at })).toEqual(moversOf(rows, at))
    })
  })

  test('are none before the first rating', async () => {
    const archive = await openMemory()
    await importRows(archive, [makeRating({ id: 1, created_at: START })])
    const since = START - 1 - 7 * DAY
    expect(await selectMovers(archive.reader, { at: START - 1 })).toEqual({ since, moves: [] })
    await archive.close()
  })

  test('three opinions of which edition has turned take no place from thirty, and moves are listed by size', async () => {
    const archive = await openMemory()
    const posted = (id: number, symbol: string, rating: number) =>
      makeRating({ id, user_id: id, symbol, rating, created_at: START })
    const turned = (id: number, user_id: number, symbol: string) =>
      makeRating({ id, user_id, symbol, rating: 5, created_at: START + 9 * DAY })
    const community = (
      symbol: string,
      first: number,
      { of, turns }: Record<'of' | 'turns', number>,
    ) => [
      ...Array.from({ length: of }, (_, index) => posted(first + index, symbol, 3)),
      ...Array.from({ length: turns }, (_, index) =>
        turned(1000 + first + index, first + index, symbol),
      ),
    ]
    await importRows(archive, [
      ...community('FEW', 1, { of: 3, turns: 1 }),
      ...community('A', 100, { of: 30, turns: 9 }),
      ...community('B', 200, { of: 10, turns: 4 }),
    ])
    const asked = { at: START + 10 * DAY, since: START + 3 * DAY, lapsingBy: START, lines: 2 }
    const { moves } = await archive.reader.read((db) => selectNotable(db, asked), undefined)
    expect(moves.map(({ symbol, change }) => [symbol, change])).toEqual([
      ['B', '0.8000'],
      ['A', '0.6000'],
    ])
    const { moves: five } = await selectMovers(archive.reader, { at: START + 10 * DAY })
    expect(five.map(({ symbol }) => symbol)).toEqual(['B', 'FEW', 'A'])
    await archive.close()
  })
})
