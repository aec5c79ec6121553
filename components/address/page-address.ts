import { symbolsQuery } from '#lib/contract/api-queries.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

/** The page of a symbol, whose spelling it keeps. */
export const toSymbolHref = (symbol: string, params?: URLSearchParams): string =>
  toHref('/symbols', symbol, params)

/** The page of a user. */
export const toUserHref = (userId: number, params?: URLSearchParams): string =>
  toHref('/users', userId, params)

/** A symbol's chart alone, or its comparison, for the frames of other pages. */
export const toSymbolEmbedHref = (symbol: string, params?: URLSearchParams): string =>
  toHref('/embed/symbols', symbol, params)

/** A user's charts alone, for the frames of other pages. */
export const toUserEmbedHref = (userId: number, params?: URLSearchParams): string =>
  toHref('/embed/users', userId, params)

/** The league of symbols or of users, searched. */
export const toSearchHref = (league: '/symbols' | '/users', q: string): string =>
  `${league}${toQueryText(toParams(symbolsQuery, { q }))}`

const toHref = (folder: string, part: string | number, params?: URLSearchParams) =>
  `${folder}/${encodeURIComponent(part)}${params ? toQueryText(params) : ''}`

const USER_ID = /^(?:0|-?[1-9]\d{0,14})$/

/** A user's number as an address writes it, or null where the text is none. */
export const parseUserId = (text: string): number | null =>
  USER_ID.test(text) ? Number(text) : null

/** The parameters of a page as the server is given them, in the form that every query is read from. */
export function toUrlParams(given: Record<string, string | string[] | undefined>): URLSearchParams {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one]),
  )
  return new URLSearchParams(pairs)
}

/** A part of an address as it was meant, or as it stands where it is no proper encoding. */
export function toPathText(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** What a click on a column's heading asks for: that column, first from its usual end, then turned around. */
export function toNextSort<C extends string>(
  current: Sort<C>,
  column: C,
  usual: Sort<C>['direction'],
): Sort<C> {
  if (current.column !== column) return { column, direction: usual }
  return { column, direction: current.direction === 'asc' ? 'desc' : 'asc' }
}
