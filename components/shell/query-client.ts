import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#lib/client/fetch-api.ts'

const FRESH_MS = 30_000
const RETRIES = 2

/** What was asked wrongly stays wrong; what failed may work the next time. */
export const isWorthRetrying = (error: unknown): boolean =>
  !(error instanceof ApiError && error.status >= 400 && error.status < 500)

const inBrowser = typeof window !== 'undefined'

/** The house's defaults, for the one client of a browser and for a new one per page on the server. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        refetchOnWindowFocus: false,
        retry: (failures, error) => inBrowser && failures < RETRIES && isWorthRetrying(error),
      },
    },
  })
