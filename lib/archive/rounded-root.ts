import { toDecimalText } from './decimal.ts'

/** The number `(whole ± √root) / divisor`, in integers; `divisor` is above 0, `root` not below it. */
export type RootForm = { whole: bigint; sign: 1n | -1n; root: bigint; divisor: bigint }

/**
 * Its decimal text with `places` places: worked out in integers, where squaring is exact, and rounded once, halves
 * upwards.
 */
export function toRootText({ whole, sign, root, divisor }: RootForm, places: number): string {
  const scale = 2n * 10n ** BigInt(places)
  const scaled = root * scale * scale
  const dividend = whole * scale + divisor + (sign === 1n ? floorRoot(scaled) : -ceilRoot(scaled))
  return toDecimalText({ units: floorQuotient(dividend, 2n * divisor), places })
}

/** The largest integer whose square is not above `value`: Newton's iteration, which comes down from above. */
export function floorRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

function ceilRoot(value: bigint): bigint {
  const root = floorRoot(value)
  return root * root === value ? root : root + 1n
}

/** BigInt's own division goes towards zero. */
const floorQuotient = (dividend: bigint, divisor: bigint): bigint =>
  dividend >= 0n ? dividend / divisor : -((-dividend + divisor - 1n) / divisor)
