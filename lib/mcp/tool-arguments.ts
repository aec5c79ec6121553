import type { Issue } from '#lib/contract/faults.ts'
import { describeParameters } from '#lib/contract/openapi/described-parameters.ts'
import type { Parts, PartValues } from '#lib/contract/operations/operation.ts'
import { isProblem, type Problem } from '#lib/contract/query-parameters.ts'
import {
  type Parameters,
  parseParameters,
  type QuerySchema,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'

/** What a tool takes: the same parts and parameters as routes of the API. */
export type Taken<P extends Parts, Q extends Parameters> = {
  readonly parts: P
  readonly query: QuerySchema<Q>
}

type ReadArguments<P extends Parts, Q extends Parameters> =
  | { ok: true; parts: PartValues<{ parts: P }>; query: ValuesOf<Q> }
  | { ok: false; issues: readonly Issue[] }

type Described = { readonly parts: Parts; readonly query: { readonly parameters: Parameters } }

export function toInputSchema(taken: Described): Record<string, unknown> {
  const described = describeParameters(taken)
  const properties = described.map(({ name, description, schema, example }) => [
    name,
    { description, ...schema, ...(example !== '' && { examples: toExample(schema, example) }) },
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: described.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

const toExample = ({ type }: { type: string }, example: string) => {
  if (type === 'array') return [example.split(',')]
  return [type === 'integer' ? Number(example) : example]
}

/** Null and empty text count as missing. Numbers are accepted for text and the reverse. */
export function readArguments<P extends Parts, Q extends Parameters>(
  { parts, query }: Taken<P, Q>,
  given: unknown,
): ReadArguments<P, Q> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { ok: false, issues: [{ parameter: 'arguments', message: 'is not an object' }] }
  }
  const issues: Issue[] = []
  const params = new URLSearchParams()
  const named = new Map<string, string>()
  for (const [name, value] of Object.entries(given)) {
    const texts = toTexts(value)
    if (isProblem(texts)) issues.push({ parameter: name, message: texts.problem })
    else if (!Object.hasOwn(parts, name)) for (const text of texts) params.append(name, text)
    else if (texts.length > 1) issues.push({ parameter: name, message: 'takes one value' })
    else if (texts[0] !== undefined) named.set(name, texts[0])
  }
  const values = Object.entries(parts).map(([name, part]) => {
    const text = named.get(name)
    const value = text === undefined ? { problem: 'is missing' } : part.read(text)
    const isKnown = issues.some(({ parameter }) => parameter === name)
    if (isProblem(value) && !isKnown) issues.push({ parameter: name, message: value.problem })
    return [name, value]
  })
  const parsed = parseParameters(query, params)
  if (parsed.ok && issues.length === 0) {
    return { ok: true, parts: Object.fromEntries(values), query: parsed.value }
  }
  return { ok: false, issues: [...issues, ...(parsed.ok ? [] : parsed.issues)] }
}

function toTexts(value: unknown): string[] | Problem {
  const texts: string[] = []
  for (const item of [value].flat()) {
    if (item === null || item === undefined || item === '') continue
    if (typeof item !== 'string' && typeof item !== 'number') {
      return { problem: 'is not a text, a number or a list of these' }
    }
    texts.push(String(item))
  }
  return texts
}
