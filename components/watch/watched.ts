import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { WATCHED_MAX } from '#lib/contract/watching-query.ts'

export type WatchedKind = keyof typeof WATCHED_MAX

/** `key`: symbol in upper case, user id, or view id. `name`: a view's name when starred. */
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

export const toStarId = ({ kind, key }: Pick<Watched, 'kind' | 'key'>): string => `${kind} ${key}`

export const toWatchedName = ({ kind, key, name }: Watched): string =>
  kind === 'view' ? name : kind === 'user' ? `user ${key}` : toVisibleText(key)
