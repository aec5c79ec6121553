import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { packRows, unpackRows } from './packed-rows.ts'

/** Pages cached by the server may be a minute old. */
export const FRESH_MS = 60_000
const RETRIES = 2

export const isWorthRetrying = (error: unknown): boolean =>
  !(error instanceof ApiError && (isRefusal(error) || error.retryAfterSeconds !== null))

const isRefusal = ({ status }: ApiError) => status >= 400 && status < 500

const inBrowser = typeof window !== 'undefined'

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // The dashboard may be reachable without internet access.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        retry: (failures, error) => inBrowser && failures < RETRIES && isWorthRetrying(error),
      },
      mutations: { networkMode: 'always' },
      dehydrate: { serializeData: packRows },
      hydrate: { deserializeData: unpackRows },
    },
  })
