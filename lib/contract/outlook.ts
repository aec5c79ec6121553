import type { Issue } from './faults.ts'
import { parameter } from './query-parameters.ts'
import { type QueryOf, querySchema, readLeniently, toDefaults, toParams } from './query-schema.ts'
import { toQueryText } from './ratings-query.ts'

const PARAMETERS = { asof: parameter.asof(), tz: parameter.zone() }

/** The outlook of an address that says nothing else. */
export const outlookQuery = querySchema(PARAMETERS)

/**
 * Where a reader stands on every page: `asof` is the instant (seconds since 1970) that everything is rewound to, null is
 * now; `tz` the zone that times are written in.
 */
export type Outlook = QueryOf<typeof outlookQuery>

/** The outlook in any page's address. What cannot be read of it counts as not said; that it was, the page tells. */
export function readOutlook(params: URLSearchParams): Outlook {
  const named = [...params].filter(([name]) => Object.hasOwn(PARAMETERS, name))
  return readLeniently(outlookQuery, new URLSearchParams(named)).query
}

/** An address within this dashboard, looked at in the same way. One that names an instant itself keeps its own. */
export function toOutlookHref(href: string, { asof, tz }: Outlook): string {
  // A table has hundreds of them.
  if (asof === null && tz === 'UTC' && !href.includes('?')) return href
  const [address = '', ...hash] = href.split('#')
  const [path = '', query = ''] = address.split('?')
  const params = new URLSearchParams(query)
  const outlook = params.has('asof') ? { tz } : { asof, tz }
  return [`${path}${toQueryText(toParams(outlookQuery, outlook, params))}`, ...hash].join('#')
}

const ZONE = 'tz'

/** The zone that is not written. */
export const ZONE_DEFAULT = toDefaults(outlookQuery)[ZONE]

/** Splits an address into its time zone, UTC unless it names a valid one, and the other parameters. `ignored` is about the zone. */
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
