import type { QueryClient } from '@tanstack/react-query'
import { toAbsence } from '#components/feedback/presence.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { nearOptions, symbolOptions, userOptions } from '#lib/client/query-options.ts'
import type { NearSymbol } from '#lib/contract/answers/symbols.ts'
import { askInProcess } from '#lib/server/ask-in-process.ts'

/** Whether a symbol is there, how its ratings spell it, and from when to when it was rated by now; seconds since 1970. */
export async function loadSymbolPresence(asked: string, queryClient: QueryClient) {
  try {
    const { data, meta } = await queryClient.fetchQuery(symbolOptions(asked, askInProcess))
    const extent = { first: meta.first_created_at, last: meta.last_created_at, now: meta.as_of }
    return { state: 'there', symbol: data.symbol, extent } as const
  } catch (error) {
    const state = await toAbsence(error, queryClient, askInProcess)
    return { state, symbol: asked, extent: null }
  }
}

/**
 * Symbols that may have been meant instead of one that nobody has rated. The framework renders the page of what is not
 * there beside every page that is: a symbol that is known costs no more than a look at what is kept.
 */
export async function loadNearSymbols(asked: string): Promise<readonly NearSymbol[]> {
  const queryClient = createQueryClient()
  const { state } = await loadSymbolPresence(asked, queryClient)
  if (state !== 'unknown') return []
  const near = await queryClient.fetchQuery(nearOptions(asked, askInProcess)).catch(() => null)
  return near?.data ?? []
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
