import type { QueryClient } from '@tanstack/react-query'
import { parseUserId } from '#components/address/page-address.ts'
import { toAbsence } from '#components/feedback/presence.ts'
import {
  BEGINNING,
  NEAR_MAX,
  type NearSymbols,
  selectNearSymbols,
} from '#components/symbols/near-symbols.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import {
  symbolOptions,
  symbolsOptions,
  userOptions,
  usersOptions,
} from '#lib/client/query-options.ts'
import type { UserRow } from '#lib/contract/answers/users.ts'
import { nearSymbolsQuery, nearUsersQuery } from '#lib/contract/api-queries.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { askInProcess } from '#lib/server/pages/ask-in-process.ts'

type SymbolPresence =
  | { state: 'there'; symbol: string; extent: { first: number; last: number; now: number } }
  | { state: Awaited<ReturnType<typeof toAbsence>>; symbol: string; extent: null }

/** Whether a symbol is there, how its ratings spell it, and from when to when it was rated by now; seconds since 1970. */
export async function loadSymbolPresence(
  asked: string,
  queryClient: QueryClient,
): Promise<SymbolPresence> {
  try {
    const { data, meta } = await queryClient.fetchQuery(symbolOptions(asked, askInProcess))
    const extent = { first: meta.first_created_at, last: meta.last_created_at, now: meta.as_of }
    return { state: 'there', symbol: data.symbol, extent }
  } catch (error) {
    const state = await toAbsence(error, queryClient, askInProcess)
    // What is pasted often brings a space along; a symbol that ends in one was found before.
    const name = asked.trim()
    if (state === 'unknown' && name !== '' && name !== asked) {
      const found: SymbolPresence = await loadSymbolPresence(name, queryClient)
      if (found.state === 'there') return found
    }
    return { state, symbol: asked, extent: null }
  }
}

/** How many are offered instead of a user. */
const NEAR_USERS_MAX = 6

/**
 * Symbols that may have been meant instead of one that nobody has rated. The framework renders the page of what is not
 * there beside every page that is: a symbol that is known costs no more than a look at what is kept.
 */
export async function loadNearSymbols(asked: string): Promise<NearSymbols> {
  const queryClient = createQueryClient()
  const { state } = await loadSymbolPresence(asked, queryClient)
  if (state !== 'unknown' || asked.trim() === '') return { close: [], alike: [] }
  const [close, longer, begun] = await Promise.all([
    findSymbols({ like: asked }, queryClient),
    findSymbols({ q: asked }, queryClient),
    findSymbols({ q: asked.slice(0, BEGINNING) }, queryClient),
  ])
  return selectNearSymbols(asked, { close, longer, begun })
}

/** Symbols that are spelled as a text or nearly so, the likeliest first. */
export const loadSymbolsLike = async (text: string): Promise<NearSymbols['close']> =>
  text.trim() === '' ? [] : await findSymbols({ like: text }, createQueryClient())

/** The most rated come first; none where the answer fails. */
async function findSymbols(search: { q: string } | { like: string }, queryClient: QueryClient) {
  const params = toParams(nearSymbolsQuery, {
    ...search,
    sort: { column: 'ratings', direction: 'desc' },
    per_page: NEAR_MAX,
  })
  const answer = await queryClient
    .fetchQuery(symbolsOptions(params, askInProcess))
    .catch(() => null)
  return answer?.data ?? []
}

/** Whether a user is there, and when they began (seconds since 1970). */
export async function loadUserPresence(userId: number, queryClient: QueryClient) {
  try {
    const { data } = await queryClient.fetchQuery(userOptions(userId, null, askInProcess))
    return { state: 'there', first: data.first_created_at } as const
  } catch (error) {
    return { state: await toAbsence(error, queryClient, askInProcess), first: 0 }
  }
}

/** Users whose number is a slip away from that of nobody, the most active first. */
export async function loadNearUsers(asked: string): Promise<readonly UserRow[]> {
  const userId = parseUserId(asked)
  if (userId === null) return []
  const queryClient = createQueryClient()
  const { state } = await loadUserPresence(userId, queryClient)
  if (state !== 'unknown') return []
  const params = toParams(nearUsersQuery, { like: asked, per_page: NEAR_USERS_MAX })
  const near = await queryClient.fetchQuery(usersOptions(params, askInProcess)).catch(() => null)
  return near?.data ?? []
}
