import type { Issue } from '#lib/contract/faults.ts'
import { type Outlook, outlookQuery } from '#lib/contract/outlook.ts'
import type { Quality } from '#lib/contract/quality.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { type RatingsView, ratingsView } from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'

/** How the address of a rating's page wants it looked at, and what had to be ignored in it. */
export function readRatingOutlook(params: URLSearchParams): { outlook: Outlook; ignored: Issue[] } {
  const { query, ignored } = readLeniently(outlookQuery, params)
  return { outlook: query, ignored }
}

/** Of `outlook`, which may be a whole view, only the instant and the zone are written. */
const toViewText = ({ asof, tz }: Outlook, chosen: Partial<RatingsView> = {}): string =>
  toQueryText(toParams(ratingsView, { ...chosen, asof, tz }))

/** The page of a rating: nothing of the result that it was found in, but how it is looked at, where that is said. */
export const toRatingHref = (id: number, outlook?: Outlook): string =>
  `/ratings/${id}${outlook ? toViewText(outlook) : ''}`

/** All ratings, looked at in the same way. */
export const toEveryRatingHref = (outlook: Outlook): string => `/${toViewText(outlook)}`

/** All that a user ever said of a symbol, looked at in the same way. */
export function toUserOnSymbolHref(of: Pick<Rating, 'user_id' | 'symbol'>, outlook: Outlook) {
  const chosen = { user: only(of.user_id), symbol: only(toSymbolKey(of.symbol)) }
  return `/${toViewText(outlook, chosen)}`
}

/** All ratings that fall under a lens, looked at in the same way. */
export const toQualityHref = (name: Quality, outlook: Outlook): string =>
  `/${toViewText(outlook, { quality: only(name) })}`
