import type { QueryClient } from '@tanstack/react-query'
import { toAbsence } from '#components/answer/presence.ts'
import { userOptions } from '#lib/client/query-options.ts'
import { fetchInProcess } from '#lib/server/fetch-api.ts'

/** Whether a member is there, and when they began (seconds since 1970). */
export async function loadUserPresence(userId: number, queryClient: QueryClient) {
  try {
    const { data } = await queryClient.fetchQuery(userOptions(userId, null, fetchInProcess))
    return { state: 'there', first: data.first_created_at } as const
  } catch (error) {
    return { state: await toAbsence(error, queryClient, fetchInProcess), first: 0 }
  }
}
