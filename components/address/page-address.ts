import { searchQuery } from '#lib/contract/api-queries.ts'
import { readPathPart, toPathPart } from '#lib/contract/path-part.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { parseRatingId } from '#lib/contract/rating-fields.ts'
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
  `${folder}/${toPathPart(String(part))}${params ? toQueryText(params) : ''}`

/** Spelled like the ids of ratings. */
export const parseUserId = parseRatingId

export function toUrlParams(given: Record<string, string | string[] | undefined>): URLSearchParams {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one]),
  )
  return new URLSearchParams(pairs)
}

/** Returns invalid percent-encoding unchanged. */
export function toPathText(part: string): string {
  try {
    return readPathPart(part)
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
