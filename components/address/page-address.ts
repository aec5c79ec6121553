import { searchQuery } from '#lib/contract/api-queries.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

export const toSymbolHref = (symbol: string, params?: URLSearchParams): string =>
  toHref('/symbols', symbol, params)

export const toUserHref = (userId: number, params?: URLSearchParams): string =>
  toHref('/users', userId, params)

export const toSymbolEmbedHref = (symbol: string, params?: URLSearchParams): string =>
  toHref('/embed/symbols', symbol, params)

export const toSearchHref = (league: '/symbols' | '/users', q: string): string =>
  `${league}${toQueryText(toParams(searchQuery, { q }))}`

const toHref = (folder: string, part: string | number, params?: URLSearchParams) =>
  `${folder}/${encodeURIComponent(part)}${params ? toQueryText(params) : ''}`

const USER_ID = /^(?:0|-?[1-9]\d{0,14})$/

export const parseUserId = (text: string): number | null =>
  USER_ID.test(text) ? Number(text) : null

export function toUrlParams(given: Record<string, string | string[] | undefined>): URLSearchParams {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one]),
  )
  return new URLSearchParams(pairs)
}

/** Returns invalid percent-encoding unchanged. */
export function toPathText(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function toNextSort<C extends string>(
  current: Sort<C>,
  column: C,
  usual: Sort<C>['direction'],
): Sort<C> {
  if (current.column !== column) return { column, direction: usual }
  return { column, direction: current.direction === 'asc' ? 'desc' : 'asc' }
}
