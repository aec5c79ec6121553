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
import { aggregate, mapCell, symbolRow } from '#lib/contract/answers/symbols.ts'
import { user, userRating, userRatings, userRow, userSymbol } from '#lib/contract/answers/users.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { exportMeta } from '#lib/contract/exports.ts'
import type { Operation } from '#lib/contract/operations/operation.ts'
import { OPERATIONS } from '#lib/contract/operations/operations.ts'
import { TAGS } from '#lib/contract/tags.ts'
import { type DescribedParameter, describeParameters } from './described-parameters.ts'

const PARTS = {
  Failure: failure,
  Page: pageInfo,
  Meta: meta,
  ExportMeta: exportMeta,
  Counted: counted,
  RatingRow: ratingRow,
  RatingDetail: ratingDetail,
  RatingHistory: ratingHistory,
  HistoryItem: historyItem,
  Facets: facets,
  SymbolRow: symbolRow,
  Aggregate: aggregate,
  MapCell: mapCell,
  Opinion: opinion,
  Series: series,
  SeriesPoint: seriesPoint,
  Comparison: comparison,
  UserRow: userRow,
  User: user,
  UserSymbol: userSymbol,
  UserRatings: userRatings,
  UserRating: userRating,
  Status: status,
  SyncRun: syncRun,
  LogEvent: logEvent,
  Edition: edition,
  Dump: dump,
} as const

const NAMED = '#/components/schemas/'

type Json = { readonly [name: string]: unknown }

const toAnswerName = ({ id }: Operation) => `${id.charAt(0).toUpperCase()}${id.slice(1)}Answer`

export async function toOpenApi(version: string): Promise<Json> {
  const schemas = await loadSchemas()
  return {
    openapi: '3.1.1',
    info: {
      title: 'Bellwether',
      version,
      summary: 'Community ratings of symbols, by user and over time.',
      description:
        'Answers come from the archive. If sign-in is required, scripts send a token. Instants are whole seconds since 1970, UTC. Fractional numbers are decimal strings. Answers may gain fields. HEAD works wherever GET does. See /docs/api.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: withBase('/') }],
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
    // A clone: operations register a shared answer under different names.
    if (schema) registry.add(z.clone(schema), { id: toAnswerName(operation) })
  }
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => NAMED + id,
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Fields outside the specification.
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'object'
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
      ...(hasEtag ? { 304: { description: 'Not modified: If-None-Match matches.' } } : {}),
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
  ETag: { description: 'A strong validator of the body.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'Whole seconds to wait, if known.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Content-Disposition': {
    description: 'The file name.',
    schema: { type: 'string' },
  },
} as const

const FILE_HEADERS = { 'Content-Disposition': toHeader('Content-Disposition') }

const FAILURE = { 'application/json': { schema: { $ref: `${NAMED}Failure` } } }

const RESPONSES = {
  BadRequest: { description: '`issues` names each invalid parameter.', content: FAILURE },
  SignInFirst: { description: 'Sign-in is required.', content: FAILURE },
  NotAllowed: { description: 'Permission denied.', content: FAILURE },
  NotFound: { description: 'Not found, or not found at that instant.', content: FAILURE },
  NotNow: {
    description: 'The archive is not open, the server is busy, or the service is unavailable.',
    headers: { 'Retry-After': toHeader('Retry-After') },
    content: FAILURE,
  },
  Failure: { description: 'Any other failure.', content: FAILURE },
} as const
