import type * as z from 'zod/mini'
import type { Permission } from '#lib/contract/answers/access.ts'
import type { Problem } from '#lib/contract/query-parameters.ts'
import type { Parameters, QuerySchema, ValuesOf } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import type { Tag } from '#lib/contract/tags.ts'

/** What a request needs: a permission, or nothing. */
export type Need = Permission | 'nobody'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Loads the schema of an answer. A browser needs it no sooner than with the first answer. */
export type LoadSchema<A = unknown> = () => Promise<z.ZodMiniType<A>>

/** A `{part}` of an address. */
export type Part<T = unknown> = {
  /** Reads the decoded text; the problem is the end of a sentence. */
  readonly read: (text: string) => T | Problem
  readonly meaning: string
  /** A value that the demo has. */
  readonly example: string
  readonly type: 'string' | 'integer'
  readonly maxLength?: number
}

export type Parts = Readonly<Record<string, Part>>

/** One method of one address of the API. */
export type Operation = {
  /** `operationId` of the OpenAPI description. */
  readonly id: string
  readonly method: Method
  /** The path, with its `{parts}`. */
  readonly address: string
  readonly parts: Parts
  readonly permission: Need
  readonly query: { readonly parameters: Parameters }
  /** null: not part of the public API; only this dashboard's own pages send it. */
  readonly tag: Tag | null
  readonly summary: string
  readonly status: 200 | 202
  readonly answer: {
    /** `file`: sent with a name to save it under. `stream`: does not end by itself. */
    readonly how: 'json' | 'file' | 'text' | 'stream'
    readonly type: string
    readonly load: LoadSchema | null
  }
  /** Whether `If-None-Match` is answered with 304. */
  readonly hasEtag: boolean
}

/** A GET that answers JSON: pages ask it in the process, browsers over HTTP. */
export type Question<A = unknown> = {
  /** Begins the key that its answers are cached under. */
  readonly name: string
  readonly id: string
  readonly address: string
  readonly parts: Parts
  readonly permission: Need
  readonly query: Readonly<AnyQuery>
  readonly answer: LoadSchema<A>
  readonly tag: Tag
  readonly summary: string
  /**
   * `archive`: the answer changes only with the archive and slowly with time, so one answer serves all clients for a minute.
   * `row`: the same, and it reads one row or one page, so it needs no turn among the expensive ones. `no`: made for each request.
   */
  readonly cached: 'archive' | 'row' | 'no'
}

/** A schema of any parameters. */
type AnyQuery = Pick<QuerySchema<Parameters>, 'parameters' | 'order'> & {
  refuse(values: ValuesOf<Parameters>): ReturnType<QuerySchema<Parameters>['refuse']>
}

type Given = Omit<Question, 'name'>

/** Questions by their names. */
export const defineQuestions = <const G extends Readonly<Record<string, Given>>>(
  group: G,
): { readonly [N in keyof G]: G[N] & { readonly name: N } } =>
  Object.fromEntries(
    Object.entries(group).map(([name, given]) => [name, { ...given, name }]),
  ) as never

export type AnswerOf<Q extends Pick<Question, 'answer'>> =
  Awaited<ReturnType<Q['answer']>> extends infer S extends z.ZodMiniType ? z.output<S> : never

/** The values of the parts of a question's address. */
export type PartValues<Q extends Pick<Question, 'parts'>> = {
  readonly [N in keyof Q['parts']]: Q['parts'][N] extends Part<infer T> ? T : never
}

/** The values of a question's parameters. */
export type QueryValues<Q extends Pick<Question, 'query'>> = ValuesOf<Q['query']['parameters']>

/** A question with the parts of its address and its search parameters, neither of them parsed yet. */
export type Asked<Q extends Question = Question> = {
  readonly question: Q
  readonly parts: Readonly<Record<string, string>>
  readonly params: URLSearchParams
}

/** The address of a question, as a browser requests it. */
export const toAddress = ({ question, parts, params }: Asked): string =>
  fillAddress(question.address, parts) + toQueryText(params)

/** An address with its `{parts}` filled in and encoded. */
export const fillAddress = (address: string, parts: Asked['parts']): string =>
  address.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ''))

/** The parts of a path that matches `address`. Throws URIError for a part that cannot be decoded. */
export function readParts(address: string, pathname: string): Asked['parts'] {
  const segments = pathname.split('/')
  const named = address.split('/').flatMap((segment, index): [string, string][] => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    return name === undefined ? [] : [[name, decodeURIComponent(segments[index] ?? '')]]
  })
  return Object.fromEntries(named)
}

type AnswerGiven = {
  how: Operation['answer']['how']
  type: string
  load?: LoadSchema
}

type OperationGiven = Pick<Operation, 'address' | 'permission' | 'query' | 'tag' | 'summary'> &
  Partial<Pick<Operation, 'method' | 'parts' | 'status' | 'hasEtag'>> & { answer: AnswerGiven }

/** Operations that are no questions (files, feeds, commands), by their ids. */
export const defineOperations = <const G extends Readonly<Record<string, OperationGiven>>>(
  group: G,
): { readonly [N in keyof G]: Operation & { readonly answer: Pick<G[N]['answer'], 'load'> } } =>
  Object.fromEntries(
    Object.entries(group).map(([id, given]) => [id, toOperation(id, given)]),
  ) as never

/** Fills in what most operations share: GET, 200, no ETag. */
export const toOperation = (id: string, { answer, ...given }: OperationGiven): Operation => ({
  id,
  method: 'GET',
  parts: {},
  status: 200,
  hasEtag: false,
  ...given,
  answer: { load: null, ...answer },
})

/** A question as an operation. */
export const questionOperation = ({
  id,
  address,
  parts,
  permission,
  query,
  ...rest
}: Question): Operation => ({
  id,
  method: 'GET',
  address,
  parts,
  permission,
  query,
  tag: rest.tag,
  summary: rest.summary,
  status: 200,
  answer: { how: 'json', type: 'application/json', load: rest.answer },
  hasEtag: rest.cached !== 'no',
})
