import { toMean } from '#lib/statistics/exact.ts'

type Active = { active: number; sum: number | null }

const PLACES = 4
const UNIT = 10n ** BigInt(PLACES)

/** Ten-thousandths, from decimal text of at most 4 places. */
function toUnits(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(PLACES, '0'))
}

/** Exact. `active` must not be 0. */
export function compareMean({ active, sum }: Active, value: string): -1 | 0 | 1 {
  return toSign(BigInt(sum ?? 0) * UNIT - toUnits(value) * BigInt(active))
}

const toSign = (number: bigint) => (number < 0n ? -1 : number > 0n ? 1 : 0)

/** 4 places, rounded half away from zero. */
export const toMeanText = ({ active, sum }: Active): string =>
  toMean(sum ?? 0, active, PLACES) ?? ''

/** `text`: 4 places. `reaches` is exact, before rounding. */
export function subtractMeans(before: Active, after: Active, by: string) {
  const [b, a] = [BigInt(before.active), BigInt(after.active)]
  const difference = BigInt(after.sum ?? 0) * b - BigInt(before.sum ?? 0) * a
  const size = (difference < 0n ? -difference : difference) * UNIT
  const bound = toUnits(by) * a * b
  const reaches = size >= bound ? ('whole' as const) : 2n * size >= bound ? 'half' : 'less'
  return { text: toMean(difference, a * b, PLACES) ?? '', sign: toSign(difference), reaches }
}
