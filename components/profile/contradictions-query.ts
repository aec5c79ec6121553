import type { Quality } from '#lib/contract/quality.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  EVERY_RATING,
  type RatingsQuery,
  toQueryText,
  toSearchParams,
} from '#lib/contract/ratings-query.ts'
import { ANY, only } from '#lib/contract/value-list.ts'

/** Whose ratings are looked at: those on a symbol, or those of a member. */
export type Subject = { symbol: string } | { user: number }

/** The ratings of a subject that existed at `asof` (seconds since 1970; null is now). */
export const toSubjectQuery = (subject: Subject, asof: number | null): RatingsQuery => ({
  ...EVERY_RATING,
  symbol: 'symbol' in subject ? only(toSymbolKey(subject.symbol)) : ANY,
  user: 'user' in subject ? only(subject.user) : ANY,
  asof,
})

/** The page of ratings with those of a subject that fall under a lens. */
export function toContradictionsHref(subject: Subject, lens: Quality, asof: number | null): string {
  const query = { ...toSubjectQuery(subject, asof), quality: only(lens) }
  return `/${toQueryText(toSearchParams(query))}`
}
