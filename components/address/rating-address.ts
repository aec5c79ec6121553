import type { Issue } from '#lib/contract/faults.ts'
import { type Outlook, outlookQuery } from '#lib/contract/outlook.ts'
import type { Quality } from '#lib/contract/quality.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { type RatingsView, ratingsView } from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'

export function readRatingOutlook(params: URLSearchParams): { outlook: Outlook; ignored: Issue[] } {
  const { query, ignored } = readLeniently(outlookQuery, params)
  return { outlook: query, ignored }
}

/** Writes only the instant and zone of a view. */
const toViewText = ({ asof, tz }: Outlook, chosen: Partial<RatingsView> = {}): string =>
  toQueryText(toParams(ratingsView, { ...chosen, asof, tz }))

export const toRatingHref = (id: number, outlook?: Outlook): string =>
  `/ratings/${id}${outlook ? toViewText(outlook) : ''}`

export const toEveryRatingHref = (outlook: Outlook): string => `/${toViewText(outlook)}`

export function toUserOnSymbolHref(of: Pick<Rating, 'user_id' | 'symbol'>, outlook: Outlook) {
  const chosen = { user: only(of.user_id), symbol: only(toSymbolKey(of.symbol)) }
  return `/${toViewText(outlook, chosen)}`
}

export const toQualityHref = (name: Quality, outlook: Outlook): string =>
  `/${toViewText(outlook, { quality: only(name) })}`
