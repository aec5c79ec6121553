import { MINUS } from './decimal.ts'
import { ENGLISH, toGrouped } from './number-marks.ts'

/** A whole number with thousands separators: `98,310`. */
export const formatCount = (count: number, marks = ENGLISH): string =>
  `${count < 0 ? MINUS : ''}${toGrouped(Math.abs(Math.round(count)).toFixed(), marks)}`

/** A count with its noun, in English marks: `1 rating`, `2,911 ratings`. The plural takes an s unless it is given. */
export const formatCounted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`
