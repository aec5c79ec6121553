import type { Issue } from './faults.ts'

/** What is wrong with what an address says, as the end of a sentence: `is not a whole number`. */
export type Problem = { problem: string }

export const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'problem' in value

/** How the values of one name in an address are read, all of them in order; `absent` stands where there are none. */
export type Parameter<T> = { read: (values: readonly string[]) => T | Problem; absent: T }

export type Parameters = Readonly<Record<string, Parameter<unknown>>>

export type ValuesOf<P extends Parameters> = {
  -readonly [K in keyof P]: P[K] extends Parameter<infer T> | undefined ? T : never
}

/** Which parameters an address takes, and what is wrong with values that are right one by one. */
export type QuerySchema<P extends Parameters> = {
  parameters: P
  refuse: (values: ValuesOf<P>) => readonly Issue[]
}

/** The values that a schema reads. */
export type QueryOf<S> = S extends QuerySchema<infer P> ? ValuesOf<P> : never

export const querySchema = <P extends Parameters>(
  parameters: P,
  refuse: QuerySchema<P>['refuse'] = () => [],
): QuerySchema<P> => ({ parameters, refuse })

/** What an address says that says nothing. */
export const toDefaults = <P extends Parameters>({ parameters }: QuerySchema<P>): ValuesOf<P> =>
  toValues(parameters, ({ absent }) => absent)

export type Parsed<T> = { ok: true; value: T } | { ok: false; issues: readonly Issue[] }

/** Reads the parameters of a URL by a schema. Unknown names are issues like any other. */
export function parseParameters<P extends Parameters>(
  { parameters, refuse }: QuerySchema<P>,
  params: URLSearchParams,
): Parsed<ValuesOf<P>> {
  const issues: Issue[] = []
  const value = toValues(parameters, ({ read, absent }, name) => {
    const given = params.getAll(name)
    if (given.length === 0) return absent
    const result = read(given)
    if (!isProblem(result)) return result
    issues.push({ parameter: name, message: result.problem })
    return absent
  })
  for (const name of new Set(params.keys())) {
    if (Object.hasOwn(parameters, name)) continue
    issues.push({ parameter: shorten(name), message: 'is not a parameter here' })
  }
  if (issues.length > 0) return { ok: false, issues }
  const refused = refuse(value)
  return refused.length === 0 ? { ok: true, value } : { ok: false, issues: refused }
}

/** Each parameter gives the value of its own name: this is where that is believed. */
function toValues<P extends Parameters>(
  parameters: P,
  toValue: (parameter: Parameter<unknown>, name: string) => unknown,
): ValuesOf<P> {
  const entries = Object.entries(parameters).map(([name, parameter]) => [
    name,
    toValue(parameter, name),
  ])
  return Object.fromEntries(entries) as ValuesOf<P>
}

const LONGEST_NAME = 64

const shorten = (name: string) =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name

/** Is it that name which an issue speaks of? Very long ones are shortened there. */
const isAbout = (issue: Issue, name: string): boolean => issue.parameter === shorten(name)

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
