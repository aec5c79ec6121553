import { asofQuery } from './api-queries.ts'
import { parameter } from './query-parameters.ts'
import { querySchema, readOwn, toParams } from './query-schema.ts'
import { toQueryText } from './ratings-query.ts'

/** What another instant changes on every page. */
export const asofPageQuery = querySchema({ asof: parameter.asof(), page: parameter.page() })

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
