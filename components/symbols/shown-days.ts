import { formatDay } from '#components/format/instants.ts'
import type { Span } from './ranges.ts'

/**
 * The first and the last day (UTC) of what is displayed: a file is read when "now" is another day. `first` is where its
 * points begin, `asOf` the instant that it is judged at; seconds since 1970. None where there are no points.
 */
export function toShownDays(
  first: { t: number } | undefined,
  { from, to }: Span,
  asOf: number,
): string[] {
  if (!first) return []
  const end = to === null ? asOf : Math.min(to - 1, asOf)
  return [formatDay(Math.max(from ?? 0, first.t)), formatDay(Math.max(end, first.t))]
}
