import { asofQuery } from './api-queries.ts'
import { readOwn, toParams } from './query-schema.ts'
import { toQueryText } from './ratings-query.ts'

/** Seconds since 1970; null is now, also where `asof` is invalid. */
export const readAsOf = (params: URLSearchParams): number | null => readOwn(asofQuery, params).asof

/** An `asof` in `href` takes precedence. */
export function withAsOf(href: string, asof: number | null): string {
  // Fast path: a table has hundreds of links.
  if (asof === null && !href.includes('?')) return href
  const [address = '', ...hash] = href.split('#')
  const [path = '', query = ''] = address.split('?')
  const params = new URLSearchParams(query)
  const next = params.has('asof') ? params : toParams(asofQuery, { asof }, params)
  return [`${path}${toQueryText(next)}`, ...hash].join('#')
}
