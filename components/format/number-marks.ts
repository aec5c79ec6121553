/** How a language sets off the digits of a number. Digits are always 0 to 9. */
export type NumberMarks = {
  /** Between groups of digits; empty where there are none. The group before the decimal mark has three. */
  group: string
  /** How many digits every group further left has: two in India. */
  farGroup: number
  /** The least number of whole digits that is grouped: `1234` and `12 345` in Spanish. */
  leastDigits: number
  decimal: string
  /** What stands before and behind a percentage: `12.50%`, `12,50 %`, `%12,50`. */
  percent: readonly [before: string, behind: string]
}

export const ENGLISH: NumberMarks = {
  group: ',',
  farGroup: 3,
  leastDigits: 4,
  decimal: '.',
  percent: ['', '%'],
}

const NEAR_GROUP = 3

/** Whole digits in groups: `98,310`, `98.310`, `98 310`, `12,34,567`. */
export function toGrouped(whole: string, { group, farGroup, leastDigits }: NumberMarks): string {
  if (group === '' || whole.length < leastDigits) return whole
  const far = whole.slice(0, -NEAR_GROUP)
  const groups: string[] = []
  for (let end = far.length; end > 0; end -= farGroup) {
    groups.unshift(far.slice(Math.max(0, end - farGroup), end))
  }
  return [...groups, whole.slice(-NEAR_GROUP)].join(group)
}
