import type { Issue } from './faults.ts'
import { toAsofParameter } from './instant-text.ts'
import { parameter, type QueryOf, querySchema, readLeniently, toDefaults } from './query-schema.ts'
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

/** The parameters at another instant; now is not written. */
export function withAsof(params: URLSearchParams, asof: number | null): URLSearchParams {
  const written = new URLSearchParams(params)
  if (asof === null) written.delete('asof')
  else written.set('asof', toAsofParameter(asof))
  return written
}

/** An address within this dashboard, looked at in the same way. One that names an instant itself keeps its own. */
export function toOutlookHref(href: string, { asof, tz }: Outlook): string {
  // A table has hundreds of them.
  if (asof === null && tz === 'UTC' && !href.includes('?')) return href
  const [address = '', ...hash] = href.split('#')
  const [path = '', query = ''] = address.split('?')
  const params = new URLSearchParams(query)
  const timed = params.has('asof') ? params : withAsof(params, asof)
  return [`${path}${toQueryText(withZone(timed, tz))}`, ...hash].join('#')
}

const NAME = 'tz'
const schema = querySchema({ [NAME]: parameter.zone() })

/** The zone that is not written. */
export const ZONE_DEFAULT = toDefaults(schema)[NAME]

/**
 * The zone that an address has its times written in, UTC where it names none that there is; what had to be ignored;
 * and the other parameters, which say what is looked at.
 */
export function splitZone(params: URLSearchParams): {
  zone: string
  ignored: readonly Issue[]
  rest: URLSearchParams
} {
  const rest = new URLSearchParams(params)
  rest.delete(NAME)
  const named = new URLSearchParams(params.getAll(NAME).map((zone) => [NAME, zone]))
  const { query, ignored } = readLeniently(schema, named)
  return { zone: query[NAME], ignored, rest }
}

/** The parameters with their zone behind them; UTC is not written. */
export function withZone(params: URLSearchParams, zone: string): URLSearchParams {
  const written = new URLSearchParams(params)
  if (zone === ZONE_DEFAULT) written.delete(NAME)
  else written.set(NAME, zone)
  return written
}
