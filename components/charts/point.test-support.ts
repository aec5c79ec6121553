import type { TimePoint } from './time-point.ts'

const EMPTY: TimePoint = {
  t: 0,
  posted: 0,
  active: 0,
  consensus: null,
  weighted: null,
  byRating: [0, 0, 0, 0, 0],
  postedByRating: [0, 0, 0, 0, 0],
  mean: null,
  low: null,
  q1: null,
  median: null,
  q3: null,
  high: null,
}

/** A bucket with nothing in it but what is given. */
export const pointOf = (given: Partial<TimePoint>): TimePoint => ({ ...EMPTY, ...given })
