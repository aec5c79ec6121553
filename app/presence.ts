import type { QueryClient } from '@tanstack/react-query'
import { toAbsence } from '#components/feedback/presence.ts'
import {
  BEGINNING,
  NEAR_MAX,
  type NearSymbols,
  selectNearSymbols,
} from '#components/symbols/near-symbols.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { symbolOptions, symbolsOptions } from '#lib/client/symbol-options.ts'
import { userOptions, usersOptions } from '#lib/client/user-options.ts'
import type { UserRow } from '#lib/contract/answers/users.ts'
import { nearSymbolsQuery } from '#lib/contract/lists/symbols.ts'
import { nearUsersQuery } from '#lib/contract/lists/users.ts'
import { parseUserId } from '#lib/contract/page-addresses.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'

type SymbolPresence =
  | { state: 'there'; symbol: string; extent: { first: number; last: number; now: number } }
  | { state: Awaited<ReturnType<typeof toAbsence>>; symbol: string; extent: null }

/** `extent` is in seconds since 1970. */
export async function loadSymbolPresence(
  asked: string,
  queryClient: QueryClient,
): Promise<SymbolPresence> {
  try {
    const { data, meta } = await queryClient.fetchQuery(symbolOptions(asked, fetchInProcess))
    const extent = { first: meta.first_created_at, last: meta.last_created_at, now: meta.as_of }
    return { state: 'there', symbol: data.symbol, extent }
  } catch (error) {
    const state = await toAbsence(error, queryClient, fetchInProcess)
    // Symbols that end in a space were found above.
    const name = asked.trim()
    if (state === 'unknown' && name !== '' && name !== asked) {
      const found: SymbolPresence = await loadSymbolPresence(name, queryClient)
      if (found.state === 'there') return found
    }
    return { state, symbol: asked, extent: null }
  }
}

const NEAR_USERS_MAX = 6

/** Next.js renders the not-found page along with every page: a known symbol must stay cheap. */
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

export const loadSymbolsLike = async (text: string): Promise<NearSymbols['close']> =>
  text.trim() === '' ? [] : await findSymbols({ like: text }, createQueryClient())

/** Returns [] if the query fails. */
async function findSymbols(search: { q: string } | { like: string }, queryClient: QueryClient) {
  const params = toParams(nearSymbolsQuery, {
    ...search,
    sort: { column: 'ratings', direction: 'desc' },
    per_page: NEAR_MAX,
  })
  const answer = await queryClient
    .fetchQuery(symbolsOptions(params, fetchInProcess))
    .catch(() => null)
  return answer?.data ?? []
}

export async function loadUserPresence(userId: number, queryClient: QueryClient) {
  try {
    const { data } = await queryClient.fetchQuery(userOptions(userId, null, fetchInProcess))
    return { state: 'there', first: data.first_created_at } as const
  } catch (error) {
    return { state: await toAbsence(error, queryClient, fetchInProcess), first: 0 }
  }
}

export async function loadNearUsers(asked: string): Promise<readonly UserRow[]> {
  const userId = parseUserId(asked)
  if (userId === null) return []
  const queryClient = createQueryClient()
  const { state } = await loadUserPresence(userId, queryClient)
  if (state !== 'unknown') return []
  const params = toParams(nearUsersQuery, { like: asked, per_page: NEAR_USERS_MAX })
  const near = await queryClient.fetchQuery(usersOptions(params, fetchInProcess)).catch(() => null)
  return near?.data ?? []
}
