import type { Issue } from './faults.ts'
import {
  isAbout,
  type Parameters,
  parseParameters,
  type QuerySchema,
  type ValuesOf,
} from './query-schema.ts'

/**
 * The nearest valid query to a page's address, and what had to be ignored to get there: a page shows what it can,
 * where the API refuses.
 */
export function readLeniently<P extends Parameters>(
  schema: QuerySchema<P>,
  params: URLSearchParams,
): { query: ValuesOf<P>; ignored: Issue[] } {
  let rest = new URLSearchParams(params)
  const ignored: Issue[] = []
  for (;;) {
    const parsed = parseParameters(schema, rest)
    if (parsed.ok) return { query: parsed.value, ignored }
    ignored.push(...parsed.issues)
    const kept = [...rest].filter(([name]) => !parsed.issues.some((issue) => isAbout(issue, name)))
    // An issue that names no parameter of this address would be found for ever.
    rest = new URLSearchParams(kept.length < [...rest].length ? kept : [])
  }
}
