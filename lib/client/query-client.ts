import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

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

const NAMES = '~names'
const ROWS = '~rows'
const ROWS_LEAST = 3

/** Arrays of objects with equal keys become one list of names and a list of values per object. */
export function packRows(value: unknown): unknown {
  if (Array.isArray(value)) {
    const names = findNames(value)
    if (names === null) return value.map(packRows)
    return { [NAMES]: names, [ROWS]: value.map((row) => Object.values(row).map(packRows)) }
  }
  return isObject(value) ? mapValues(value, packRows) : value
}

/** Inverse of {@link packRows}. */
export function unpackRows(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpackRows)
  if (!isObject(value)) return value
  const { [NAMES]: names, [ROWS]: rows } = value
  if (!Array.isArray(names) || !Array.isArray(rows)) return mapValues(value, unpackRows)
  return rows.map((row: readonly unknown[]) =>
    Object.fromEntries(names.map((name: string, index) => [name, unpackRows(row[index])])),
  )
}

function findNames(values: readonly unknown[]): string[] | null {
  const [first] = values
  if (values.length < ROWS_LEAST || !isObject(first)) return null
  const names = Object.keys(first)
  const hasNames = (value: unknown) => {
    if (!isObject(value)) return false
    const own = Object.keys(value)
    return own.length === names.length && own.every((name, index) => name === names[index])
  }
  return names.length > 0 && values.every(hasNames) ? names : null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapValues = (value: Record<string, unknown>, map: (one: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, one]) => [name, map(one)]))
