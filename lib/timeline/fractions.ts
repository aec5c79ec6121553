import { floorQuotient, roundQuotient, toDecimalText } from '#lib/statistics/exact.ts'

/** `dividend` is in millionths; `divisor` is above 0. */
export type Fraction = { dividend: bigint; divisor: number }

/**
 * Returns exact sums as decimal text of 6 places. Group sums are rounded by largest remainder so
 * that they add up to the total.
 */
export function toParts(groups: readonly (readonly Fraction[])[]): {
  whole: string
  parts: string[]
} {
  const divisor = leastCommonMultiple(groups.flat().map((fraction) => fraction.divisor))
  const sums = groups.map((group) =>
    group.reduce((sum, one) => sum + one.dividend * (divisor / BigInt(one.divisor)), 0n),
  )
  const whole = roundQuotient(
    sums.reduce((all, sum) => all + sum, 0n),
    divisor,
  )
  const cut = sums.map((sum) => floorQuotient(sum, divisor))
  const missing = Number(whole - cut.reduce((all, units) => all + units, 0n))
  const lost = sums.map((sum, index) => ({ index, rest: sum - (cut[index] ?? 0n) * divisor }))
  lost.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest < b.rest ? 1 : -1))
  const raised = new Set(lost.slice(0, missing).map(({ index }) => index))
  return {
    whole: toText(whole),
    parts: cut.map((units, index) => toText(raised.has(index) ? units + 1n : units)),
  }
}

const toText = (units: bigint) => toDecimalText({ units, places: 6 })

const leastCommonMultiple = (divisors: readonly number[]): bigint =>
  [...new Set(divisors)].reduce((all, one) => {
    const shared = greatestCommonDivisor(one, Number(all % BigInt(one)))
    return all * BigInt(one / shared)
  }, 1n)

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
