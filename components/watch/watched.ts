import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { WATCHED_MAX } from '#lib/contract/watching-query.ts'

export type WatchedKind = keyof typeof WATCHED_MAX

/**
 * What is watched: a symbol by its key (upper case), a user by the number as text, a view by its id. `name` is what a view was
 * called when it was starred, for when it is gone.
 */
export type Watched = { kind: WatchedKind; key: string; name: string }

export const watchedSymbol = (symbol: string): Watched => ({
  kind: 'symbol',
  key: toSymbolKey(symbol),
  name: '',
})

export const watchedUser = (userId: number): Watched => ({
  kind: 'user',
  key: String(userId),
  name: '',
})

/** One text for each watched thing. */
export const toStarId = ({ kind, key }: Pick<Watched, 'kind' | 'key'>): string => `${kind} ${key}`

/** What it is called where it stands alone: `AAPL`, `user 12`. */
export const toWatchedName = ({ kind, key, name }: Watched): string =>
  kind === 'view' ? name : kind === 'user' ? `user ${key}` : toVisibleText(key)
