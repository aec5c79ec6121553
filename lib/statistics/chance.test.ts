import { describe, expect, it } from 'vitest'
import { coinTail, incompleteBeta, studentQuantile, toStudent, toWilson } from './chance.ts'

describe('what chance does', () => {
  it.each([
    [1, 12.7062047362],
    [2, 4.3026527297],
    [4, 2.7764451052],
    [10, 2.228138852],
    [30, 2.0422724563],
    [120, 1.9799304051],
    [10_000, 1.9602012399],
  ])('Student’s quantile with %i degrees of freedom is %f', (freedom, quantile) => {
    expect(studentQuantile(0.975, freedom)).toBeCloseTo(quantile, 8)
  })

  it('a coin is as the sum over all its ways, exactly', () => {
    for (const n of [1, 2, 7, 30, 52]) {
      let ways = 1n
      const all: bigint[] = [1n]
      for (let k = 1; k <= n; k += 1) {
        ways = (ways * BigInt(n - k + 1)) / BigInt(k)
        all.push(ways)
      }
      for (let least = 0; least <= n + 1; least += 1) {
        const sum = all.slice(least).reduce((total, one) => total + one, 0n)
        expect(coinTail(least, n)).toBeCloseTo(Number(sum) / 2 ** n, 12)
      }
    }
    expect(coinTail(5200, 10_000)).toBeCloseTo(0.0000329, 6)
  })

  it('a mean of fewer than five has no interval', () => {
    expect(toStudent({ n: 4, mean: 1, squares: 1 })).toBeNull()
    const interval = toStudent({ n: 5, mean: 0, squares: 4 })
    expect(interval?.high).toBeCloseTo(2.7764451052 / Math.sqrt(5), 8)
  })

  it('is symmetric where it has to be', () => {
    for (const [x, a, b] of [
      [0.3, 2, 5],
      [0.5, 50, 50],
      [0.99, 0.5, 300],
    ] as const) {
      expect(incompleteBeta(x, a, b) + incompleteBeta(1 - x, b, a)).toBeCloseTo(1, 12)
    }
  })
})

it('Wilson’s interval is that of his formula, whole at both ends', () => {
  expect(toWilson(57, 100)?.low).toBeCloseTo(0.4721538955, 9)
  expect(toWilson(57, 100)?.high).toBeCloseTo(0.6626670148, 9)
  expect(toWilson(0, 10)?.low).toBe(0)
  expect(toWilson(10, 10)?.high).toBe(1)
  expect(toWilson(0, 0)).toBeNull()
})

it('the share of votes lies within its interval, which narrows with the votes', () => {
  const few = toWilson(3, 4, 1.96)
  const many = toWilson(3000, 4000, 1.96)
  expect(few?.low).toBeCloseTo(0.3006, 3)
  expect(few?.high).toBeCloseTo(0.9544, 3)
  expect((many?.high ?? 1) - (many?.low ?? 0)).toBeLessThan(0.03)
  expect(toWilson(5, 5, 1.96)?.high).toBe(1)
})
