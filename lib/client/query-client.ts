import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

/** A page that the server keeps may be a minute old: what came with it is not asked for again. */
export const FRESH_MS = 60_000
const RETRIES = 2

/** What was asked wrongly stays wrong, who says when to come again means it; what failed may work the next time. */
export const isWorthRetrying = (error: unknown): boolean =>
  !(error instanceof ApiError && (isRefusal(error) || error.retryAfterSeconds !== null))

const isRefusal = ({ status }: ApiError) => status >= 400 && status < 500

const inBrowser = typeof window !== 'undefined'

/** The defaults, for the one client of a browser and for a new one per page on the server. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // The dashboard may well be on this machine or next door, whatever the browser believes of the internet.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        retry: (failures, error) => inBrowser && failures < RETRIES && isWorthRetrying(error),
      },
      mutations: { networkMode: 'always' },
    },
  })
