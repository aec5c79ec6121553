import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#lib/client/api-error.ts'
import type { FetchAnswer } from '#lib/client/fetch-api.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'

/** By name alone, an invalid name (400) is as unknown as a missing one (404). */
const UNKNOWN: ReadonlySet<number> = new Set([400, 404])

/** `waiting`: the archive is empty. `unknown`: a real 404. `failed`: any other error. */
export async function toAbsence(
  error: unknown,
  queryClient: QueryClient,
  ask: FetchAnswer,
): Promise<'waiting' | 'unknown' | 'failed'> {
  if (await isEmpty(queryClient, ask)) return 'waiting'
  return error instanceof ApiError && UNKNOWN.has(error.status) ? 'unknown' : 'failed'
}

async function isEmpty(queryClient: QueryClient, ask: FetchAnswer): Promise<boolean> {
  try {
    const { archive } = await queryClient.fetchQuery(statusSummaryOptions(ask))
    return archive.ratings === 0
  } catch {
    return false
  }
}
