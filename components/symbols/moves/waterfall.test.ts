import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Moves } from '#lib/contract/answers/symbols.ts'
import { roundTogether, toWaterfall } from './waterfall.ts'

const NOTHING: Moves = {
  symbol: 'AAPL',
  from: 0,
  to: 1,
  active_from: 1,
  active_to: 1,
  parts: [],
  consensus_from: '3.000000',
  consensus_to: '3.000000',
  change: '0.000000',
  prediction_from: null,
  prediction_to: null,
  prediction_change: null,
}

it('what is shown of the parts adds up to what is shown of the whole', () => {
  const aPart = fc.integer({ min: -4_000_000, max: 4_000_000 })
  fc.assert(
    fc.property(fc.array(aPart, { maxLength: 7 }), (parts) => {
      const sum = parts.reduce((all, one) => all + one, 0)
      const whole = Math.sign(sum) * Math.round(Math.abs(sum) / 10_000) || 0
      const shown = roundTogether(parts, whole)
      expect(shown.reduce((all, one) => all + one, 0)).toBe(whole)
      for (const [index, part] of parts.entries()) {
        expect(Math.abs((shown[index] ?? 0) * 10_000 - part)).toBeLessThan(10_000)
      }
    }),
  )
})

it('the steps lead from the mean before to the mean after, the largest first, and all of them on the scale', () => {
  const drawn = toWaterfall({
    ...NOTHING,
    consensus_to: '3.300000',
    change: '0.300000',
    parts: [
      { kind: 'initiated', events: 2, change: '-0.100000', prediction_change: null },
      { kind: 'upgraded', events: 5, change: '0.400000', prediction_change: null },
    ],
  })
  expect(drawn?.steps.map(({ kind, change }) => [kind, change])).toEqual([
    ['upgraded', '0.40'],
    ['initiated', '-0.10'],
  ])
  expect(drawn?.change).toBe('0.30')
  expect(drawn?.steps[0]?.begin).toBe(drawn?.begin)
  expect(drawn?.steps[0]?.end).toBe(drawn?.steps[1]?.begin)
  expect(drawn?.steps[1]?.end).toBeCloseTo(drawn?.end ?? 0)
  const ends = drawn?.steps.flatMap(({ begin, end }) => [begin, end]) ?? []
  expect(Math.min(...ends)).toBeGreaterThan(0)
  expect(Math.max(...ends)).toBeLessThan(1)
  expect(drawn?.ticks.map(({ mean }) => mean)).toEqual([3, 3.1, 3.2, 3.3, 3.4])
  expect(drawn?.ticks[0]?.at).toBe(drawn?.begin)
})

it('where there was no mean to move from, there is nothing to draw', () => {
  expect(toWaterfall({ ...NOTHING, consensus_from: null, change: null })).toBeNull()
  expect(toWaterfall(NOTHING)).toMatchObject({ steps: [], change: '0.00' })
})
