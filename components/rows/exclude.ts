import type { Chosen } from '#lib/contract/value-list.ts'

type IsSame<T> = (a: T, b: T) => boolean

const isIdentical: IsSame<unknown> = (a, b) => a === b

/** Is that value all that the filter leaves? */
export const isOnly = <T>(
  { only, not }: Chosen<T>,
  value: T,
  isSame: IsSame<T> = isIdentical,
): boolean => only.length === 1 && not.length === 0 && only.every((other) => isSame(other, value))

/**
 * The filter without that value: taken from those that are left where others are left still, else taken out. What is
 * out already stays out. With `overlaps` (a day within a month) it is always taken out.
 */
export function withExcluded<T>(
  { only, not }: Chosen<T>,
  value: T,
  { isSame = isIdentical, overlaps = false }: { isSame?: IsSame<T>; overlaps?: boolean } = {},
): Chosen<T> {
  const left = only.filter((other) => !isSame(other, value))
  const isEnough = !overlaps && left.length > 0 && left.length < only.length
  const isOut = not.some((other) => isSame(other, value))
  return { only: left, not: isEnough || isOut ? not : [...not, value] }
}
