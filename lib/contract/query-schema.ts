import type { Issue } from './faults.ts'
import { isProblem, type Parameter } from './query-parameters.ts'

export type Parameters = Readonly<Record<string, Parameter<unknown>>>

export type ValuesOf<P extends Parameters> = {
  -readonly [K in keyof P]: P[K] extends Parameter<infer T> | undefined ? T : never
}

/** The parameters of an address: the one place that reads and writes it. */
export type QuerySchema<P extends Parameters> = {
  /** In the order in which they are read and described. */
  parameters: P
  /** Issues with values that are valid one by one. */
  refuse: (values: ValuesOf<P>) => readonly Issue[]
  /** The names in the order in which they are written. */
  order: readonly string[]
}

/** The values that a schema reads. */
export type QueryOf<S> = S extends QuerySchema<infer P> ? ValuesOf<P> : never

type Rules<P extends Parameters> = Partial<Pick<QuerySchema<P>, 'refuse' | 'order'>>

/** Names in `order` are written first, the others after them in the order of `parameters`. */
export function querySchema<P extends Parameters>(
  parameters: P,
  { refuse = () => [], order: first = [] }: Rules<P> = {},
): QuerySchema<P> {
  const order = [...new Set([...first, ...Object.keys(parameters)])]
  return { parameters, refuse, order: order.filter((name) => name in parameters) }
}

/** The values of an address without parameters. */
export const toDefaults = <P extends Parameters>({
  parameters,
}: Pick<QuerySchema<P>, 'parameters'>): ValuesOf<P> =>
  toValues(parameters, (parameter) => parameter.default)

type Written<P extends Parameters> = Pick<QuerySchema<P>, 'parameters' | 'order'>

/**
 * Writes the canonical parameters of an address: names in the order of the schema, lists sorted, defaults left out. With
 * `base`, a copy of these parameters is changed: names in `values` are replaced, defaults removed, other names stay.
 */
export function toParams<P extends Parameters>(
  schema: Written<P>,
  values: Partial<ValuesOf<P>>,
  base?: URLSearchParams,
): URLSearchParams {
  return write(schema, values, base, (parameter, value) => {
    if (value === parameter.default) return []
    const texts = parameter.write(value)
    return String(texts) === String(parameter.write(parameter.default)) ? [] : texts
  })
}

/** Like {@link toParams}, but defaults are written, so that an address keeps its meaning when they change. */
export const toFullParams = <P extends Parameters>(
  schema: Written<P>,
  values: Partial<ValuesOf<P>>,
  base?: URLSearchParams,
): URLSearchParams => write(schema, values, base, (parameter, value) => parameter.write(value))

function write<P extends Parameters>(
  { parameters, order }: Written<P>,
  values: Partial<ValuesOf<P>>,
  base: URLSearchParams | undefined,
  toTexts: (parameter: Parameter<unknown>, value: unknown) => readonly string[],
): URLSearchParams {
  const params = new URLSearchParams(base)
  const given = new Map(Object.entries(values))
  for (const name of order) {
    const parameter = parameters[name]
    const value = given.get(name)
    if (parameter === undefined || value === undefined) continue
    const [text, ...more] = toTexts(parameter, value)
    if (text !== undefined) params.set(name, text)
    else if (base) params.delete(name)
    for (const other of more) params.append(name, other)
  }
  return params
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; issues: readonly Issue[] }

/** Reads the parameters of a URL by a schema. Unknown names are issues like any other. */
export function parseParameters<P extends Parameters>(
  { parameters, refuse }: QuerySchema<P>,
  params: URLSearchParams,
): Parsed<ValuesOf<P>> {
  const issues: Issue[] = []
  const value = toValues(parameters, ({ read, default: fallback }, name) => {
    const given = params.getAll(name)
    if (given.length === 0) return fallback
    const result = read(given)
    if (!isProblem(result)) return result
    issues.push({ parameter: name, message: result.problem })
    return fallback
  })
  for (const name of new Set(params.keys())) {
    if (Object.hasOwn(parameters, name)) continue
    issues.push({ parameter: shorten(name), message: 'is not a parameter here' })
  }
  if (issues.length > 0) return { ok: false, issues }
  const refused = refuse(value)
  return refused.length === 0 ? { ok: true, value } : { ok: false, issues: refused }
}

// The one cast: each parameter gives the value of its own name.
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

/** Issues shorten very long names. */
const isAbout = (issue: Issue, name: string): boolean => issue.parameter === shorten(name)

/**
 * Reads a page's address: invalid parameters are ignored, where the API rejects the request. Returns the nearest valid query and what
 * was ignored.
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
    // An issue that names no parameter of this address would come back forever.
    rest = new URLSearchParams(kept.length < [...rest].length ? kept : [])
  }
}
