import type { Issue } from './faults.ts'
import { parameter } from './query-parameters.ts'
import {
  type QueryOf,
  querySchema,
  readLeniently,
  readOwn,
  toDefaults,
  toParams,
} from './query-schema.ts'
import { toQueryText } from './ratings-query.ts'

const PARAMETERS = { asof: parameter.asof(), tz: parameter.zone() }

export const outlookQuery = querySchema(PARAMETERS)

/** `asof`: seconds since 1970, null is now. */
export type Outlook = QueryOf<typeof outlookQuery>

export const readOutlook = (params: URLSearchParams): Outlook => readOwn(outlookQuery, params)

/** An `asof` in `href` takes precedence. */
export function toOutlookHref(href: string, { asof, tz }: Outlook): string {
  // Fast path: a table has hundreds of links.
  if (asof === null && tz === 'UTC' && !href.includes('?')) return href
  const [address = '', ...hash] = href.split('#')
  const [path = '', query = ''] = address.split('?')
  const params = new URLSearchParams(query)
  const outlook = params.has('asof') ? { tz } : { asof, tz }
  return [`${path}${toQueryText(toParams(outlookQuery, outlook, params))}`, ...hash].join('#')
}

const ZONE = 'tz'

export const ZONE_DEFAULT = toDefaults(outlookQuery)[ZONE]

export function splitZone(params: URLSearchParams): {
  zone: string
  ignored: readonly Issue[]
  rest: URLSearchParams
} {
  const rest = new URLSearchParams(params)
  rest.delete(ZONE)
  const named = new URLSearchParams(params.getAll(ZONE).map((zone) => [ZONE, zone]))
  const { query, ignored } = readLeniently(outlookQuery, named)
  return { zone: query[ZONE], ignored, rest }
}
