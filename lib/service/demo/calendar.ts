import { toUnit } from './random.ts'

/** The demo community's first day, 2014-01-01, in seconds since 1970. */
export const DEMO_START = 1_388_534_400
const DAY = 86_400
const BURST_STREAM = 11

/** Relative traffic of the 24 hours of a UTC day: New York's market hours are the busiest. */
const HOUR_WEIGHTS = [2, 2, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 8, 10, 9, 8, 8, 9, 10, 7, 5, 4, 3]
const HOUR_TOTAL = HOUR_WEIGHTS.reduce((sum, weight) => sum + weight, 0)

/** When the ratings of a history are posted. Positions must be asked in ascending order; the answers never descend. */
export type Calendar = { toInstant(share: number): number }

/**
 * Spreads a history from 2014 to `end` (seconds, exclusive): it grows, rests at weekends, and has years and days of
 * bursts. `toInstant` takes the share of the history that lies before a rating, in [0, 1), never descending.
 */
export function createCalendar(seed: number, end: number): Calendar {
  const days = Math.max(1, Math.ceil((end - DEMO_START) / DAY))
  const before = new Float64Array(days + 1)
  for (let day = 0; day < days; day += 1) {
    const part = Math.min(1, (end - DEMO_START) / DAY - day)
    before[day + 1] = (before[day] ?? 0) + part * toDayWeight(seed, day)
  }
  const total = before[days] ?? 0
  let day = 0
  return {
    toInstant(share) {
      const target = share * total
      while (day < days - 1 && (before[day + 1] ?? 0) <= target) day += 1
      const first = before[day] ?? 0
      const weight = (before[day + 1] ?? 0) - first
      const seconds = Math.min(DAY, end - DEMO_START - day * DAY)
      const within = toShareOfDay(Math.min(1, (target - first) / weight)) * seconds
      return DEMO_START + day * DAY + Math.max(0, Math.min(seconds - 1, Math.floor(within)))
    },
  }
}

function toDayWeight(seed: number, day: number): number {
  const year = day / 365.25
  const growth = 0.12 + (year / 6) ** 1.5
  const mania = 1 + 1.6 * Math.exp(-(((year - 7.1) / 0.5) ** 2))
  const weekday = (day + 3) % 7
  const week = weekday >= 5 ? 0.25 : 1
  const luck = toUnit(seed, BURST_STREAM, day)
  return growth * mania * week * (luck > 0.97 ? 2.8 : 0.6 + 0.8 * luck)
}

function toShareOfDay(unit: number): number {
  let left = unit * HOUR_TOTAL
  for (let hour = 0; hour < HOUR_WEIGHTS.length; hour += 1) {
    const weight = HOUR_WEIGHTS[hour] ?? 1
    if (left <= weight) return (hour + left / weight) / HOUR_WEIGHTS.length
    left -= weight
  }
  return 1
}
