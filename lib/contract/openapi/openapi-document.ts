import * as z from 'zod/mini'
import { counted, failure, meta, pageInfo } from '#lib/contract/answers/envelope.ts'
import { comparison, opinion, series, seriesPoint } from '#lib/contract/answers/opinion.ts'
import {
  facets,
  historyItem,
  ratingDetail,
  ratingHistory,
  ratingRow,
} from '#lib/contract/answers/ratings.ts'
import { dump, edition, logEvent, status, syncRun } from '#lib/contract/answers/status.ts'
import { aggregate, overview, symbolRow } from '#lib/contract/answers/symbols.ts'
import {
  record,
  user,
  userRating,
  userRatings,
  userRow,
  userSymbol,
} from '#lib/contract/answers/users.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { exportManifest } from '#lib/contract/exports.ts'
import type { Operation } from '#lib/contract/operations/operation.ts'
import { OPERATIONS } from '#lib/contract/operations/operations.ts'
import { TAGS } from '#lib/contract/tags.ts'
import { type DescribedParameter, describeParameters } from './described-parameters.ts'

const PARTS = {
  Failure: failure,
  Page: pageInfo,
  Meta: meta,
  ExportManifest: exportManifest,
  Counted: counted,
  RatingRow: ratingRow,
  RatingDetail: ratingDetail,
  RatingHistory: ratingHistory,
  HistoryItem: historyItem,
  Facets: facets,
  SymbolRow: symbolRow,
  Aggregate: aggregate,
  Overview: overview,
  Opinion: opinion,
  Series: series,
  SeriesPoint: seriesPoint,
  Comparison: comparison,
  UserRow: userRow,
  User: user,
  UserSymbol: userSymbol,
  UserRatings: userRatings,
  UserRating: userRating,
  UserRecord: record,
  Status: status,
  SyncRun: syncRun,
  LogEvent: logEvent,
  Edition: edition,
  Dump: dump,
} as const

const NAMED = '#/components/schemas/'

type Json = { readonly [name: string]: unknown }

/** `listRatings` → `ListRatingsAnswer`. */
const toAnswerName = ({ id }: Operation) => `${id.charAt(0).toUpperCase()}${id.slice(1)}Answer`

/** OpenAPI 3.1, generated from the schemas that routes and browser parse with. */
export async function toOpenApi(version: string): Promise<Json> {
  const schemas = await loadSchemas()
  return {
    openapi: '3.1.1',
    info: {
      title: 'Bellwether',
      version,
      summary: 'What a community thinks of a symbol, who thinks so, and how it changed.',
      description:
        'Answered from the archive. Where people sign in, a script shows a token. Instants are whole seconds since 1970, UTC; whatever has a fraction is a decimal in a string. Answers may gain fields. HEAD is answered wherever GET is. The page /docs/api says more.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: withBase('/') }],
    // `{}`: sign-in is optional on some deployments.
    security: [{}, { token: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: toPaths(),
    components: {
      schemas,
      headers: HEADERS,
      responses: RESPONSES,
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function toPaths(): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of OPERATIONS) {
    const methods = paths[operation.address] ?? {}
    methods[operation.method.toLowerCase()] = toOperation(operation)
    paths[operation.address] = methods
  }
  return paths
}

async function loadSchemas(): Promise<Json> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(PARTS)) registry.add(schema, { id })
  for (const operation of OPERATIONS) {
    const schema = await operation.answer.load?.()
    // A clone, because operations that share an answer register it under different names.
    if (schema) registry.add(z.clone(schema), { id: toAnswerName(operation) })
  }
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => NAMED + id,
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Fields outside the specification.
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'object'
      // Omit the bounds of safe integers.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  )
}

function toOperation(operation: Operation): Json {
  const { id, tag, summary, status: code, answer, hasEtag } = operation
  const parameters = describeParameters(operation)
  const schema = answer.load ? { $ref: NAMED + toAnswerName(operation) } : { type: 'string' }
  const isLooked = parameters.some((parameter) => parameter.in === 'path')
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: parameters.map(toParameter),
    responses: {
      [code]: {
        description: summary,
        headers: {
          ...(hasEtag ? { ETag: toHeader('ETag') } : {}),
          ...(answer.how === 'file' ? FILE_HEADERS : {}),
        },
        content: { [answer.type]: { schema } },
      },
      ...(hasEtag ? { 304: { description: 'Nothing has changed: If-None-Match names it.' } } : {}),
      400: toResponse('BadRequest'),
      401: toResponse('SignInFirst'),
      403: toResponse('NotAllowed'),
      ...(isLooked ? { 404: toResponse('NotFound') } : {}),
      503: toResponse('NotNow'),
      default: toResponse('Failure'),
    },
  }
}

const toParameter = ({ example, explode, ...parameter }: DescribedParameter): Json => ({
  ...parameter,
  ...(explode ? { style: 'form', explode } : {}),
  ...(example === ''
    ? {}
    : { example: explode ? example.split(',') : toTyped(parameter.schema, example) }),
})

const toTyped = ({ type }: { type: string }, text: string) =>
  type === 'integer' ? Number(text) : text

const toHeader = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` })
const toResponse = (name: keyof typeof RESPONSES) => ({ $ref: `#/components/responses/${name}` })

const HEADERS = {
  ETag: { description: 'A strong validator of these bytes.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'Whole seconds, where it is known how long.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Content-Disposition': {
    description: 'The name that the file is saved under.',
    schema: { type: 'string' },
  },
} as const

const FILE_HEADERS = { 'Content-Disposition': toHeader('Content-Disposition') }

const FAILURE = { 'application/json': { schema: { $ref: `${NAMED}Failure` } } }

const RESPONSES = {
  BadRequest: { description: 'issues name each parameter that is wrong.', content: FAILURE },
  SignInFirst: { description: 'People sign in here, and nobody has.', content: FAILURE },
  NotAllowed: { description: 'Whoever asks may not.', content: FAILURE },
  NotFound: { description: 'There is none, or there was none then.', content: FAILURE },
  NotNow: {
    description: 'The archive is not open, there is too much at once, or the service is away.',
    headers: { 'Retry-After': toHeader('Retry-After') },
    content: FAILURE,
  },
  Failure: { description: 'Whatever else went wrong.', content: FAILURE },
} as const
