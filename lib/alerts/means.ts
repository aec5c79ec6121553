import { toMean } from '#lib/statistics/exact.ts'

/** Ratings that are active, as many as there are, and their sum; null over nothing. */
type Active = { active: number; sum: number | null }

const PLACES = 4
const UNIT = 10n ** BigInt(PLACES)

/** Decimal text of at most 4 places, in ten-thousandths. */
function toUnits(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(PLACES, '0'))
}

/** Below 0 where the mean is below the value, 0 where it is just that. Exact. There has to be a rating. */
export function compareMean({ active, sum }: Active, value: string): -1 | 0 | 1 {
  return toSign(BigInt(sum ?? 0) * UNIT - toUnits(value) * BigInt(active))
}

const toSign = (number: bigint) => (number < 0n ? -1 : number > 0n ? 1 : 0)

/** The mean with 4 places, rounded once, half away from zero. */
export const toMeanText = ({ active, sum }: Active): string =>
  toMean(sum ?? 0, active, PLACES) ?? ''

/**
 * How far the mean went from one to the other: as text with 4 places, and whether that is by so much at least, by half of it, or
 * less. Judged exactly, before anything is rounded.
 */
export function subtractMeans(before: Active, after: Active, by: string) {
  const [b, a] = [BigInt(before.active), BigInt(after.active)]
  const difference = BigInt(after.sum ?? 0) * b - BigInt(before.sum ?? 0) * a
  const size = (difference < 0n ? -difference : difference) * UNIT
  const bound = toUnits(by) * a * b
  const reaches = size >= bound ? ('whole' as const) : 2n * size >= bound ? 'half' : 'less'
  return { text: toMean(difference, a * b, PLACES) ?? '', sign: toSign(difference), reaches }
}
