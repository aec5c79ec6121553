import type { SeriesQuery } from '#lib/contract/api-queries.ts'

/** Null months: everything. */
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

export type Extent = { from: number; to: number }

const DAY = 86_400

/** Midnight UTC, seconds since 1970. Uses the month's last day if needed. */
export function toRangeStart({ months }: { months: number | null }, now: number): number | null {
  if (months === null) return null
  const date = new Date(now * 1000)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() - months
  const [year, inYear] = [Math.floor(month / 12), month % 12]
  const lastDay = new Date(Date.UTC(year, inYear + 1, 0)).getUTCDate()
  return Date.UTC(year, inYear, Math.min(date.getUTCDate(), lastDay)) / 1000
}

export const selectRange = ({ from, to }: Span, now: number): Range | null =>
  to === null ? (RANGES.find((range) => toRangeStart(range, now) === from) ?? null) : null

/**
 * For a different end. A span of RANGES keeps its length; one that starts at the end or later
 * becomes the usual one (open).
 */
export function moveSpan(span: Span, { before, after }: { before: number; after: number }): Span {
  const range = selectRange(span, before)
  if (range) return { from: toRangeStart(range, after), to: null }
  return span.from !== null && span.from >= after ? { from: null, to: null } : span
}

const toDayStart = (seconds: number) => Math.floor(seconds / DAY) * DAY

/** Whole UTC days, at least one. */
export function toWholeDays({ from, to }: Extent, end: number): Extent {
  const start = Math.max(0, Math.min(toDayStart(from), toDayStart(end)))
  const last = Math.min(toDayStart(to - 1), toDayStart(end))
  return { from: start, to: Math.max(start, last) + DAY }
}

/** An end that reaches the extent becomes open (null). */
export function toZoomedOut({ from, to }: Span, extent: Extent): Span {
  const shown = { from: from ?? extent.from, to: to ?? extent.to }
  const half = Math.max(DAY, (shown.to - shown.from) / 2)
  const start = toDayStart(shown.from - half)
  const end = toDayStart(shown.to + half)
  return { from: start <= extent.from ? null : start, to: end >= extent.to ? null : end }
}
