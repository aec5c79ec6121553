import type { SeriesQuery } from '#lib/contract/api-queries.ts'

/** How far back the range control goes: months, or null for everything. */
export const RANGES = [
  { label: '1M', name: '1 month', months: 1 },
  { label: '6M', name: '6 months', months: 6 },
  { label: '1Y', name: '1 year', months: 12 },
  { label: '3Y', name: '3 years', months: 36 },
  { label: 'All', name: 'All time', months: null },
] as const

export type Range = (typeof RANGES)[number]

/** `from` inclusive, `to` exclusive, seconds since 1970; null is open. */
export type Span = Pick<SeriesQuery, 'from' | 'to'>

/** When a symbol's ratings begin, and the instant that the page is judged at. */
export type Extent = { from: number; to: number }

const DAY = 86_400

/**
 * The instant that a range begins at: midnight UTC, that many months before `now` (both seconds since 1970), on the
 * same day of the month or its last one. Null is the beginning of everything.
 */
export function toRangeStart({ months }: { months: number | null }, now: number): number | null {
  if (months === null) return null
  const date = new Date(now * 1000)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() - months
  const [year, inYear] = [Math.floor(month / 12), month % 12]
  const lastDay = new Date(Date.UTC(year, inYear + 1, 0)).getUTCDate()
  return Date.UTC(year, inYear, Math.min(date.getUTCDate(), lastDay)) / 1000
}

/** The range that a query shows, if it is one of those that the control offers today. */
export const selectRange = ({ from, to }: Span, now: number): Range | null =>
  to === null ? (RANGES.find((range) => toRangeStart(range, now) === from) ?? null) : null

const toDayStart = (seconds: number) => Math.floor(seconds / DAY) * DAY

/** What was dragged over, in whole days of UTC: at least one, and no later than the day that the page stands on. */
export function toWholeDays({ from, to }: Extent, end: number): Extent {
  const start = Math.max(0, Math.min(toDayStart(from), toDayStart(end)))
  const last = Math.min(toDayStart(to - 1), toDayStart(end))
  return { from: start, to: Math.max(start, last) + DAY }
}

/** Twice as long around the same middle; open where it has come to an end of the ratings. */
export function toZoomedOut({ from, to }: Span, extent: Extent): Span {
  const shown = { from: from ?? extent.from, to: to ?? extent.to }
  const half = Math.max(DAY, (shown.to - shown.from) / 2)
  const start = toDayStart(shown.from - half)
  const end = toDayStart(shown.to + half)
  return { from: start <= extent.from ? null : start, to: end >= extent.to ? null : end }
}
