import type { QueryClient } from '@tanstack/react-query'
import { toAbsence } from '#components/feedback/presence.ts'
import { symbolOptions, userOptions } from '#lib/client/query-options.ts'
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

/** Whether a member is there, and when they began (seconds since 1970). */
export async function loadUserPresence(userId: number, queryClient: QueryClient) {
  try {
    const { data } = await queryClient.fetchQuery(userOptions(userId, null, askInProcess))
    return { state: 'there', first: data.first_created_at } as const
  } catch (error) {
    return { state: await toAbsence(error, queryClient, askInProcess), first: 0 }
  }
}
