import type { Issue } from './faults.ts'
import { isProblem, type Parameter } from './query-parameters.ts'

export type Parameters = Readonly<Record<string, Parameter<unknown>>>

export type ValuesOf<P extends Parameters> = {
  -readonly [K in keyof P]: P[K] extends Parameter<infer T> | undefined ? T : never
}

export type QuerySchema<P extends Parameters> = {
  parameters: P
  // Declared as a method for bivariance: schemas share rules.
  /** Issues with combinations of valid values. */
  refuse(values: ValuesOf<P>): readonly Issue[]
  order: readonly string[]
}

export type QueryOf<S> = S extends QuerySchema<infer P> ? ValuesOf<P> : never

type Rules<P extends Parameters> = Partial<Pick<QuerySchema<P>, 'refuse' | 'order'>>

export function querySchema<P extends Parameters>(
  parameters: P,
  { refuse = () => [], order: first = [] }: Rules<NoInfer<P>> = {},
): QuerySchema<P> {
  const order = [...new Set([...first, ...Object.keys(parameters)])]
  return { parameters, refuse, order: order.filter((name) => name in parameters) }
}

export const toDefaults = <P extends Parameters>({
  parameters,
}: Pick<QuerySchema<P>, 'parameters'>): ValuesOf<P> =>
  toValues(parameters, (parameter) => parameter.default)

type ParameterSet<P extends Parameters> = Pick<QuerySchema<P>, 'parameters' | 'order'>

/** Canonical: schema order, sorted lists, no defaults. With `base`, updates a copy of it. */
export function toParams<P extends Parameters>(
  schema: ParameterSet<P>,
  values: Partial<ValuesOf<P>>,
  base?: URLSearchParams,
): URLSearchParams {
  return write(schema, values, base, (parameter, value) => {
    if (value === parameter.default) return []
    const texts = parameter.write(value)
    return String(texts) === String(parameter.write(parameter.default)) ? [] : texts
  })
}

/** Writes defaults too, so that the address survives a change of them. */
export const toFullParams = <P extends Parameters>(
  schema: ParameterSet<P>,
  values: Partial<ValuesOf<P>>,
  base?: URLSearchParams,
): URLSearchParams => write(schema, values, base, (parameter, value) => parameter.write(value))

function write<P extends Parameters>(
  { parameters, order }: ParameterSet<P>,
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

// Cast: each parameter reads its own name.
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

const isAbout = (issue: Issue, name: string): boolean => issue.parameter === shorten(name)

/** Ignores invalid parameters, where the API rejects the request. */
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
    // An issue about an unknown name would recur forever.
    rest = new URLSearchParams(kept.length < [...rest].length ? kept : [])
  }
}

/** Ignores other parameters. */
export function readOwn<P extends Parameters>(
  schema: QuerySchema<P>,
  params: URLSearchParams,
): ValuesOf<P> {
  const own = [...params].filter(([name]) => Object.hasOwn(schema.parameters, name))
  return readLeniently(schema, new URLSearchParams(own)).query
}

/** Includes `?`, or is empty. */
export function toQueryText(params: URLSearchParams): string {
  const text = params
    .toString()
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/')
  return text === '' ? '' : `?${text}`
}
