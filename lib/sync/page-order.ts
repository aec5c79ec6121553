import type { ServicePage } from '#lib/upstream/upstream.ts'

/**
 * How a service lists its ratings: the newest on page 1, the oldest on page 1, or neither. The specification does not
 * say, so it is read from the rows.
 */
export type PageOrder = 'newest' | 'oldest' | 'none'

/** Of so many neighbours a share must agree; a few rows posted out of turn change nothing. */
const AGREEING = 0.8

/** The order of one page's rows, by id or by time. Too few rows say nothing and count as newest first. */
export function selectOrder({ rows }: ServicePage): PageOrder {
  const ratings = rows.flatMap((row) => (row.ok ? [row.rating] : []))
  if (ratings.length < 2) return 'newest'
  const ids = toShares(ratings.map(({ id }) => id))
  const times = toShares(ratings.map(({ created_at }) => created_at))
  if (ids.falling >= AGREEING || times.falling >= AGREEING) return 'newest'
  if (ids.rising >= AGREEING || times.rising >= AGREEING) return 'oldest'
  return ratings.length < 5 ? 'newest' : 'none'
}

/** Neighbours that are equal count for neither. */
function toShares(values: readonly number[]): { rising: number; falling: number } {
  const steps = values.slice(1).map((value, index) => value - (values[index] ?? value))
  const share = (count: number) => count / steps.length
  return {
    rising: share(steps.filter((step) => step > 0).length),
    falling: share(steps.filter((step) => step < 0).length),
  }
}

/** What tells two pages apart: the ids in their order, the text of what is no rating. */
export const toPageKey = ({ rows }: ServicePage): string =>
  rows.map((row) => (row.ok ? row.rating.id : row.raw)).join('\n')
