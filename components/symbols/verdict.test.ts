import { expect, it } from 'vitest'
import type { Cause, Opinion } from '#lib/contract/answers/opinion.ts'
import { selectVerdict } from './verdict.ts'
import { toCauseHref } from './verdict-line.tsx'

const counted = (counts: readonly number[]) =>
  counts.map((count, index) => ({ value: index + 1, label: `${index + 1}`, count }))

function opinionOf(counts: readonly number[], facts: Partial<Opinion> = {}): Opinion {
  const active = counts.reduce((sum, count) => sum + count, 0)
  return {
    active,
    consensus: '3.7100',
    by_rating: counted(counts),
    changes: [{ days: 90, active, consensus: '3.3300', change: '0.3800' }],
    causes: [],
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
  expect(selectVerdict(opinionOf([1, 2, 3, 4, 5], { consensus }), 3)?.label).toBe(label)
})

it('says how the consensus moved and what expires, by the figures of the opinion', () => {
  expect(selectVerdict(opinionOf([1, 2, 3, 4, 5]), 3)).toMatchObject({
    active: 15,
    days: 90,
    change: '0.3800',
    ahead: 30,
    expiring: 4,
  })
})

it('says nothing of a change from too few, and nothing at all of too few', () => {
  const changes = [{ days: 90, active: 2, consensus: '3.0000', change: '0.7100' }]
  expect(selectVerdict(opinionOf([1, 2, 3, 4, 5], { changes }), 3)?.change).toBeNull()
  expect(selectVerdict(opinionOf([0, 0, 1, 1, 0]), 3)).toBeNull()
  expect(selectVerdict(opinionOf([0, 0, 0, 0, 0], { consensus: null }), 1)).toBeNull()
})

const cause = (name: Cause, effect: string, ids: number[] = []) => ({
  ...{ cause: name, count: 31, effect, ids },
})

it.each<[string, string, ReturnType<typeof cause>[], Cause | null]>([
  ['the largest part', '0.3800', [cause('upgraded', '0.3'), cause('ended', '0.08')], 'upgraded'],
  [
    'a part of half',
    '0.3800',
    [cause('initiated', '0.1900'), cause('upgraded', '0.1')],
    'initiated',
  ],
  ['nothing of less', '0.3800', [cause('initiated', '0.1899'), cause('upgraded', '0.18')], null],
  [
    'what it outweighs',
    '-0.2000',
    [cause('downgraded', '-0.5'), cause('ended', '0.3')],
    'downgraded',
  ],
  ['no upgrade that lowers', '-0.2000', [cause('upgraded', '-0.2')], null],
  ['nothing where it is as it was', '0.0000', [cause('upgraded', '0.2')], null],
])('of a change it names %s', (_, change, causes, named) => {
  const changes = [{ days: 90, active: 15, consensus: '3.0000', change }]
  const verdict = selectVerdict(opinionOf([1, 2, 3, 4, 5], { changes, causes }), 3)
  expect(verdict?.cause?.cause ?? null).toBe(named)
})

it('leads to what a cause counts', () => {
  const at = Date.parse('2026-11-22T12:00:00Z') / 1000
  const href = (name: Cause, asof: number | null = null) =>
    toCauseHref('AAPL', { cause: name, ids: [4, 11] }, { at, asof })
  const since = 'from=2026-08-24T12:00:01Z&state=active'
  expect(href('upgraded')).toBe(`/?symbol=AAPL&action=2&${since}`)
  expect(href('repeated')).toBe(`/?symbol=AAPL&action=-1,-2,-3&${since}`)
  expect(href('ended', at)).toBe('/?id=4,11&symbol=AAPL&asof=2026-11-22T12:00:00Z')
})

it('opinions are split where buy and sell have a quarter each, and agree where one has three quarters', () => {
  const standOf = (counts: readonly number[]) => selectVerdict(opinionOf(counts), 3)?.stand
  expect(standOf([2, 3, 10, 3, 2])).toEqual({ kind: 'split', buy: 5, sell: 5 })
  expect(standOf([2, 2, 11, 3, 2])).toBeNull()
  expect(standOf([0, 1, 4, 10, 5])).toEqual({ kind: 'agreed', side: 'buy', count: 15 })
  expect(standOf([0, 1, 15, 4, 0])).toEqual({ kind: 'agreed', side: 'hold', count: 15 })
  expect(standOf([14, 1, 5, 0, 0])).toEqual({ kind: 'agreed', side: 'sell', count: 15 })
  expect(standOf([0, 2, 4, 9, 5])).toBeNull()
})
