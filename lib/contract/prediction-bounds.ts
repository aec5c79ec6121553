import type { RatingsQuery } from './ratings-query.ts'

const BOUNDS = {
  prediction_min: '>=',
  prediction_max: '<=',
  prediction_above: '>',
  prediction_below: '<',
} as const satisfies Partial<Record<keyof RatingsQuery, string>>
export type BoundName = keyof typeof BOUNDS

/** Each parameter with its operator, which is the same in SQL and in filter text. */
export const PREDICTION_BOUNDS = Object.entries(BOUNDS) as [BoundName, (typeof BOUNDS)[BoundName]][]

export const isBoundName = (name: string): name is BoundName => Object.hasOwn(BOUNDS, name)
