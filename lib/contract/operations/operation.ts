import type * as z from 'zod/mini'
import type { RequiredPermission } from '#lib/contract/caller.ts'
import type { AuditKind } from '#lib/contract/lists/audit.ts'
import type { List } from '#lib/contract/lists/define-list.ts'
import { readPathPart, toPathPart } from '#lib/contract/path-part.ts'
import { type Problem, readSymbol, readWhole } from '#lib/contract/query-parameters.ts'
import {
  type Parameters,
  type QuerySchema,
  toQueryText,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'
import { parseRatingId, SYMBOL_KEY_MAX_LENGTH } from '#lib/contract/rating-fields.ts'
import type { Tag } from '#lib/contract/tags.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type LoadSchema<A = unknown> = () => Promise<z.ZodMiniType<A>>

export type Part<T = unknown> = {
  /** Takes decoded text. */
  readonly read: (text: string) => T | Problem
  readonly meaning: string
  /** Must exist in the demo. */
  readonly example: string
  readonly type: 'string' | 'integer'
  readonly maxLength?: number
}

export type Parts = Readonly<Record<string, Part>>

/** What the audit log says of an operation. */
type Audit = {
  readonly kind: AuditKind
  /** `{file}` is replaced with the part of the address. */
  readonly what: string
  /** It logs itself what it has done, in more detail. */
  readonly logsDone?: boolean
}

export type Operation = {
  readonly id: string
  readonly method: Method
  readonly address: string
  readonly parts: Parts
  readonly permission: RequiredPermission
  readonly query: { readonly parameters: Parameters }
  /** Null: not part of the public API. */
  readonly tag: Tag | null
  readonly summary: string
  readonly status: 200 | 202
  readonly answer: {
    /** `stream`: does not end by itself. */
    readonly how: 'json' | 'file' | 'text' | 'stream'
    readonly type: string
    readonly load: LoadSchema | null
  }
  readonly hasEtag: boolean
  /** Null: it neither changes nor exports anything. */
  readonly audit: Audit | null
}

export type Question<A = unknown> = {
  readonly name: string
  readonly id: string
  readonly address: string
  readonly parts: Parts
  readonly permission: RequiredPermission
  readonly query: Readonly<AnyQuery>
  readonly answer: LoadSchema<A>
  readonly tag: Tag
  readonly summary: string
  /**
   * `archive`: one answer serves all clients for a minute. `row`: the same, but skips the queue.
   */
  readonly cached: 'archive' | 'row' | 'no'
}

type AnyQuery = Pick<QuerySchema<Parameters>, 'parameters' | 'order'> & {
  refuse(values: ValuesOf<Parameters>): ReturnType<QuerySchema<Parameters>['refuse']>
}

type QuestionDefinition = Omit<Question, 'name'>

export const defineQuestions = <const G extends Readonly<Record<string, QuestionDefinition>>>(
  group: G,
): { readonly [N in keyof G]: G[N] & { readonly name: N } } =>
  Object.fromEntries(
    Object.entries(group).map(([name, given]) => [name, { ...given, name }]),
  ) as never

export type AnswerOf<Q extends Pick<Question, 'answer'>> =
  Awaited<ReturnType<Q['answer']>> extends infer S extends z.ZodMiniType ? z.output<S> : never

export type PartValues<Q extends Pick<Question, 'parts'>> = {
  readonly [N in keyof Q['parts']]: Q['parts'][N] extends Part<infer T> ? T : never
}

export type QueryValues<Q extends Pick<Question, 'query'>> = ValuesOf<Q['query']['parameters']>

export type ApiRequest<Q extends Question = Question> = {
  readonly question: Q
  readonly parts: Readonly<Record<string, string>>
  readonly params: URLSearchParams
}

export const toAddress = ({ question, parts, params }: ApiRequest): string =>
  fillAddress(question.address, parts) + toQueryText(params)

export const fillAddress = (address: string, parts: ApiRequest['parts']): string =>
  address.replace(/\{(\w+)\}/g, (_, name: string) => toPathPart(parts[name] ?? ''))

/** Throws URIError for a malformed escape. */
export function readParts(address: string, pathname: string): ApiRequest['parts'] {
  const segments = pathname.split('/')
  const named = address.split('/').flatMap((segment, index): [string, string][] => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    return name === undefined ? [] : [[name, readPathPart(segments[index] ?? '')]]
  })
  return Object.fromEntries(named)
}

type AnswerDefinition = {
  how: Operation['answer']['how']
  type: string
  load?: LoadSchema
}

type OperationDefinition = Pick<Operation, 'address' | 'permission' | 'query' | 'tag' | 'summary'> &
  Partial<Pick<Operation, 'method' | 'parts' | 'status' | 'hasEtag' | 'audit'>> & {
    answer: AnswerDefinition
  }

export const defineOperations = <const G extends Readonly<Record<string, OperationDefinition>>>(
  group: G,
): { readonly [N in keyof G]: Operation & { readonly answer: Pick<G[N]['answer'], 'load'> } } =>
  Object.fromEntries(
    Object.entries(group).map(([id, given]) => [id, toOperation(id, given)]),
  ) as never

export const toOperation = (id: string, { answer, ...given }: OperationDefinition): Operation => ({
  id,
  method: 'GET',
  parts: {},
  status: 200,
  hasEtag: false,
  audit: answer.how === 'file' ? { kind: 'export', what: `downloaded ${given.address}` } : null,
  ...given,
  answer: { load: null, ...answer },
})

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
  audit: null,
})

export const symbolPart: Part<string> = {
  read: readSymbol,
  meaning: 'The symbol, case-insensitive.',
  example: 'AAPL',
  type: 'string',
  maxLength: SYMBOL_KEY_MAX_LENGTH,
}

const NOT_WHOLE = { problem: 'is not a whole number' }

export const userPart: Part<number> = {
  read: readWhole,
  meaning: 'The user number.',
  example: '1',
  type: 'integer',
}

export const ratingPart: Part<number> = {
  read: (text) => parseRatingId(text) ?? NOT_WHOLE,
  meaning: 'The rating id.',
  example: '1',
  type: 'integer',
}

export const textPart = (meaning: string, example: string): Part<string> => ({
  read: (text) => text,
  meaning,
  example,
  type: 'string',
})

type Described<Q> = Omit<List<never, never>, 'fields' | 'query' | 'table'> & { query: Q }

export const pageQuestion = <Q, L extends LoadSchema>(list: Described<Q>, answer: L) => ({
  ...toShared(list),
  id: `list${list.title}`,
  address: `/api/${list.path}`,
  answer,
  summary: list.summary.page,
})

export const facetsQuestion = <Q, L extends LoadSchema>(list: Described<Q>, answer: L) => ({
  ...toShared(list),
  id: `count${list.title}`,
  address: `/api/${list.path}/facets`,
  answer,
  summary: list.summary.facets ?? '',
})

const toShared = <Q>({ permission, query, tag, cached }: Described<Q>) => ({
  parts: {},
  permission,
  query,
  tag,
  cached,
})
