import { newestRatingsQuery, toRatingsFeed } from '#lib/contract/feed-query.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { type QueryOf, querySchema, toParams } from '#lib/contract/query-schema.ts'
import { type RatingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

const NAME_MAX_LENGTH = 80
const QUERY_MAX_LENGTH = 4096

/** The start of a new alert. `query`: a query of ratings, without `?`. */
export const alertWish = querySchema({
  name: parameter.text(NAME_MAX_LENGTH, 'The name of the rule.', 'AAPL'),
  query: parameter.text(QUERY_MAX_LENGTH, 'The ratings.', 'symbol=AAPL'),
})
type AlertWish = QueryOf<typeof alertWish>

export function toAlertHref({ name, query }: AlertWish): string {
  const short = [...name].slice(0, NAME_MAX_LENGTH).join('').trim()
  return `/status/alerts${toQueryText(toParams(alertWish, { name: short, query }))}`
}

/** Where a view leads besides its own address. `feed.what`: `New ratings: AAPL` */
export type ViewLinks = { feed?: { what: string; path: string }; alert?: AlertWish }

/** `words`: the filters, or empty. */
export function toRatingsLinks(query: Partial<RatingsQuery>, words: string) {
  const text = toQueryText(toParams(newestRatingsQuery, query))
  return {
    feed: { what: `New ratings: ${words || 'all'}`, path: toRatingsFeed(query) },
    alert: { query: text.slice(1), name: words || 'Every rating' },
  }
}

export const toSymbolLinks = (symbol: string): ViewLinks =>
  toRatingsLinks({ symbol: only(symbol) }, toVisibleText(symbol))

export const toUserLinks = (userId: number): ViewLinks =>
  toRatingsLinks({ user: only(userId) }, `user ${userId}`)
