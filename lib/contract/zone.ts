import type { Issue } from './faults.ts'
import { parameter } from './parameters.ts'
import { querySchema, toDefaults } from './query-schema.ts'
import { readLeniently } from './read-leniently.ts'

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
