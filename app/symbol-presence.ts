import type { QueryClient } from '@tanstack/react-query'
import { toAbsence } from '#components/answer/presence.ts'
import { symbolOptions } from '#lib/client/query-options.ts'
import { fetchInProcess } from '#lib/server/fetch-api.ts'

/** Whether a symbol is there, and how its ratings spell it. */
export async function loadSymbolPresence(asked: string, queryClient: QueryClient) {
  try {
    const { data } = await queryClient.fetchQuery(symbolOptions(asked, fetchInProcess))
    return { state: 'there', symbol: data.symbol } as const
  } catch (error) {
    return { state: await toAbsence(error, queryClient, fetchInProcess), symbol: asked }
  }
}
