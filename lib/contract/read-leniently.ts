import type * as z from 'zod/mini'
import type { Issue } from './faults.ts'
import { parseParameters } from './parameters.ts'

/**
 * The nearest valid query to a page's address, and what had to be ignored to get there: a page shows what it can,
 * where the API refuses.
 */
export function readLeniently<S extends z.ZodMiniType>(
  schema: S,
  params: URLSearchParams,
): { query: z.output<S>; ignored: Issue[] } {
  let rest = new URLSearchParams(params)
  const ignored: Issue[] = []
  for (;;) {
    const parsed = parseParameters(schema, rest)
    if (parsed.ok) return { query: parsed.value, ignored }
    ignored.push(...parsed.issues)
    const kept = [...rest].filter(([name]) => !parsed.issues.some((issue) => names(issue, name)))
    // An issue that names no parameter of this address would be found for ever.
    rest = new URLSearchParams(kept.length < [...rest].length ? kept : [])
  }
}

/** Very long names are shortened in an issue. */
const names = (issue: Issue, name: string) =>
  issue.parameter === name || issue.parameter === `${name.slice(0, 64)}…`
