import { toParams } from '#lib/contract/query-schema.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { type RatingsView, ratingsView } from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'

const toViewText = (view: Partial<RatingsView>): string => toQueryText(toParams(ratingsView, view))

/** `asof`: seconds since 1970; null is now. */
export const toRatingHref = (id: number, asof: number | null = null): string =>
  `/ratings/${id}${toViewText({ asof })}`

export const toEveryRatingHref = (asof: number | null): string => `/${toViewText({ asof })}`

export function toUserOnSymbolHref(of: Pick<Rating, 'user_id' | 'symbol'>, asof: number | null) {
  const chosen = { user: only(of.user_id), symbol: only(toSymbolKey(of.symbol)) }
  return `/${toViewText({ ...chosen, asof })}`
}
