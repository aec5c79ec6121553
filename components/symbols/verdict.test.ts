import { expect, it } from 'vitest'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import type { Moves } from '#lib/contract/answers/symbols.ts'
import { MOVES, type MoveKind } from '#lib/contract/moves.ts'
import { selectVerdict } from './verdict.ts'

const counted = (counts: readonly number[]) =>
  counts.map((count, index) => ({ value: index + 1, label: `${index + 1}`, count }))

const movesOf = (changes: Partial<Record<MoveKind, string>>, change: string): Moves => ({
  symbol: 'AAPL',
  from: 0,
  to: 1,
  active_from: 15,
  active_to: 15,
  change,
  consensus_from: '3.330000',
  consensus_to: '3.710000',
  prediction_from: null,
  prediction_to: null,
  prediction_change: null,
  parts: MOVES.flatMap((kind) => {
    const own = changes[kind]
    return own === undefined ? [] : [{ kind, events: 31, change: own, prediction_change: null }]
  }),
})

function opinionOf(counts: readonly number[], facts: Partial<Opinion> = {}): Opinion {
  const active = counts.reduce((sum, count) => sum + count, 0)
  return {
    active,
    consensus: '3.7100',
    by_rating: counted(counts),
    changes: [{ days: 90, active, consensus: '3.3300', change: '0.3800' }],
    moves: movesOf({ upgraded: '0.380000' }, '0.380000'),
    cliff: [{ days: 30, lapsing: 4, active: active - 4, consensus: '3.5000' }],
    ...facts,
  } as Opinion
}

it.each([
  ['1.0000', 'Strong Sell'],
  ['1.4999', 'Strong Sell'],
  ['1.5000', 'Moderate Sell'],
  ['3.4999', 'Hold'],
  ['3.5000', 'Moderate Buy'],
  ['4.5000', 'Strong Buy'],
  ['5.0000', 'Strong Buy'],
])('a consensus of %s has the name of the nearest step: %s', (consensus, label) => {
  expect(selectVerdict(opinionOf([1, 2, 3, 4, 5], { consensus }))?.label).toBe(label)
})

it('says how the consensus moved and what expires, by the figures of the opinion', () => {
  expect(selectVerdict(opinionOf([1, 2, 3, 4, 5]))).toMatchObject({
    active: 15,
    days: 90,
    change: '0.38',
    ahead: 30,
    expiring: 4,
  })
})

it('says nothing of a change from too few, and nothing at all of too few', () => {
  const changes = [{ days: 90, active: 2, consensus: '3.0000', change: '0.7100' }]
  expect(selectVerdict(opinionOf([1, 2, 3, 4, 5], { changes }))?.change).toBeNull()
  expect(selectVerdict(opinionOf([0, 0, 1, 1, 0]))).toBeNull()
  expect(selectVerdict(opinionOf([0, 0, 0, 0, 0], { consensus: null }))).toBeNull()
})

it('names the two parts of a change that are largest in either direction, and none of what did not move', () => {
  const partsOf = (changes: Partial<Record<MoveKind, string>>, change: string) =>
    selectVerdict(opinionOf([1, 2, 3, 4, 5], { moves: movesOf(changes, change) }))?.parts
  const named = partsOf(
    { initiated: '0.060000', upgraded: '0.300000', lapsed: '-0.400000' },
    '-0.040000',
  )
  expect(named).toMatchObject([
    { kind: 'lapsed', change: '-0.40' },
    { kind: 'upgraded', change: '0.30' },
  ])
  expect(partsOf({ upgraded: '0.300000', reiterated: '0.000000' }, '0.300000')).toHaveLength(1)
  expect(partsOf({ upgraded: '0.300000', lapsed: '-0.300000' }, '0.000000')).toEqual([])
})

it('opinions are split where buy and sell have a quarter each, and agree where edition has three quarters', () => {
  const standOf = (counts: readonly number[]) => selectVerdict(opinionOf(counts))?.stand
  expect(standOf([2, 3, 10, 3, 2])).toEqual({ kind: 'split', buy: 5, sell: 5 })
  expect(standOf([2, 2, 11, 3, 2])).toBeNull()
  expect(standOf([0, 1, 4, 10, 5])).toEqual({ kind: 'agreed', side: 'buy', count: 15 })
  expect(standOf([0, 1, 15, 4, 0])).toEqual({ kind: 'agreed', side: 'hold', count: 15 })
  expect(standOf([14, 1, 5, 0, 0])).toEqual({ kind: 'agreed', side: 'sell', count: 15 })
  expect(standOf([0, 2, 4, 9, 5])).toBeNull()
})
