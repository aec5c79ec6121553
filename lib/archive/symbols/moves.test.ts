import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Moves } from '#lib/contract/answers/symbols.ts'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import {
  aCommunityOrCrowd,
  anInstant,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { movesOf } from '#testing/archive/moves-oracle.ts'
import { deriveRows, groupBy, keyOf, type OracleRow } from '#testing/archive/oracle.ts'
import { selectMoves } from './symbol.ts'

const DAY = 86_400
const units = (text: string | null) => BigInt((text ?? '0.000000').replace('.', ''))
const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n)

const someInstants = (count: number) =>
  fc
    .uniqueArray(anInstant, { minLength: count, maxLength: count })
    .map((instants) => [...instants].sort((a, b) => a - b))

const aThird = fc.nat(2)
const selectThird = (rows: readonly OracleRow[], nth: number) =>
  [...groupBy(rows, keyOf)].filter((_, place) => place % 3 === nth)

describe('why a consensus moved', () => {
  test('is what going through every event says, over any span, and its parts add up to the last digit', async () => {
    const effort = { communities: 24, questions: 6, of: aCommunityOrCrowd }
    const aSpan = fc.tuple(someInstants(2), aThird)
    await holdAgainstCounting(aSpan, effort, async ({ archive, rows, asked }) => {
      const [[from = 0, to = 1], nth] = asked
      const span = { from, to }
      for (const [key, own] of selectThird(rows, nth)) {
        const moves = await selectMoves(archive.reader, { symbol: key, ...span }, { at: to })
        expect(moves).toEqual(movesOf(own, span))
        if (moves === null || moves.change === null) continue
        expect(sum(moves.parts.map(({ change }) => units(change)))).toBe(units(moves.change))
        expect(sum(moves.parts.map((part) => units(part.prediction_change)))).toBe(
          units(moves.prediction_change),
        )
      }
    })
  })

  test('a span that is cut in two has as many events in both as in the whole, and the changes of both make its change', async () => {
    const effort = { communities: 12, questions: 4, of: aCommunityOrCrowd }
    const aCut = fc.tuple(someInstants(3), aThird)
    await holdAgainstCounting(aCut, effort, async ({ archive, rows, asked }) => {
      const [[from = 0, cut = 0, to = 0], nth] = asked
      for (const [symbol] of selectThird(rows, nth)) {
        const ask = async (span: { from: number; to: number }) =>
          await selectMoves(archive.reader, { symbol, ...span }, { at: span.to })
        const whole = await ask({ from, to })
        const parts = [await ask({ from, to: cut }), await ask({ from: cut, to })]
        const count = (some: readonly (Moves | null)[]) =>
          sum(some.flatMap((moves) => moves?.parts.map(({ events }) => BigInt(events)) ?? []))
        expect(count(parts)).toBe(count([whole]))
        if (whole?.change == null || parts.some((moves) => moves?.change == null)) continue
        const changes = sum(parts.map((moves) => units(moves?.change ?? null)))
        expect([-1n, 0n, 1n]).toContain(changes - units(whole.change))
      }
    })
  })

  test('one rating that takes the place of another is one event, and one that never counted is none', async () => {
    const archive = await openMemory()
    await importRows(archive, [
      makeRating({ id: 1, user_id: 1, rating: 2, created_at: START }),
      makeRating({ id: 2, user_id: 2, rating: 4, created_at: START }),
      makeRating({ id: 3, user_id: 1, rating: 5, created_at: START + DAY }),
      makeRating({ id: 4, user_id: 3, rating: 1, created_at: START + DAY, expired_at: START }),
      makeRating({ id: 5, user_id: 3, rating: 1, created_at: START + 2 * DAY }),
    ])
    const moves = await selectMoves(
      archive.reader,
      { symbol: 'aapl', from: START, to: START + 2 * DAY },
      { at: START + 2 * DAY },
    )
    expect(moves).toMatchObject({
      symbol: 'AAPL',
      consensus_from: '3.000000',
      consensus_to: '3.333333',
      change: '0.333333',
      parts: [
        { kind: 'returned', events: 1, change: '-1.166667' },
        { kind: 'upgraded', events: 1, change: '1.500000' },
      ],
    })
    await archive.close()
  })

  test('while nobody is active the last mean stands, and before there was one nothing changes', async () => {
    const archive = await openMemory()
    const rows = [
      makeRating({ id: 1, user_id: 1, rating: 2, created_at: START, expired_at: START + DAY }),
      makeRating({ id: 2, user_id: 2, rating: 5, created_at: START + 3 * DAY }),
    ]
    await importRows(archive, rows)
    const ask = async (from: number, to: number) =>
      await selectMoves(
        archive.reader,
        { symbol: 'AAPL', from: START + from * DAY, to: START + to * DAY },
        { at: START + 3 * DAY },
      )
    expect(await ask(2, 3)).toMatchObject({
      consensus_from: '2.000000',
      active_from: 0,
      change: '3.000000',
      parts: [{ kind: 'initiated', events: 1, change: '3.000000' }],
    })
    expect(await ask(0, 2)).toMatchObject({
      change: '0.000000',
      active_to: 0,
      parts: [{ kind: 'lapsed', events: 1, change: '0.000000' }],
    })
    expect(await ask(-1, 3)).toMatchObject({
      consensus_from: null,
      consensus_to: '5.000000',
      change: null,
      parts: [
        { kind: 'initiated', events: 2, change: null },
        { kind: 'lapsed', events: 1, change: null },
      ],
    })
    expect(await ask(-2, -1)).toMatchObject({
      symbol: 'AAPL',
      active_from: 0,
      active_to: 0,
      consensus_to: null,
      change: null,
      parts: [],
    })
    const early = { symbol: 'AAPL', from: START - 2 * DAY, to: START - DAY }
    expect(await selectMoves(archive.reader, early, { at: START - DAY })).toBeNull()
    expect(movesOf(deriveRows(rows), { from: START - DAY, to: START + 3 * DAY })).toEqual(
      await ask(-1, 3),
    )
    await archive.close()
  })
})
