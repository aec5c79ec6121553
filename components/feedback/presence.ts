import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#lib/client/api-error.ts'
import type { Ask } from '#lib/client/fetch-api.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'

/** Asked for by its name alone: what no name can be (400) is as unknown as what has none (404). */
const UNKNOWN: ReadonlySet<number> = new Set([400, 404])

/**
 * Why one thing could not be had: the archive has nothing yet (`waiting`), it knows no such thing (`unknown`), or
 * something is wrong (`failed`). Only the second is a 404.
 */
export async function toAbsence(
  error: unknown,
  queryClient: QueryClient,
  ask: Ask,
): Promise<'waiting' | 'unknown' | 'failed'> {
  if (await isEmpty(queryClient, ask)) return 'waiting'
  return error instanceof ApiError && UNKNOWN.has(error.status) ? 'unknown' : 'failed'
}

async function isEmpty(queryClient: QueryClient, ask: Ask): Promise<boolean> {
  try {
    const { archive } = await queryClient.fetchQuery(statusSummaryOptions(ask))
    return archive.ratings === 0
  } catch {
    return false
  }
}
