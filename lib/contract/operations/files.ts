import { noQuery, symbolsQuery, usersQuery } from '#lib/contract/api-queries.ts'
import {
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportSubject,
  LEAGUE_FORMATS,
} from '#lib/contract/export-choice.ts'
import { exportQuery, withCsv } from '#lib/contract/exports.ts'
import { ratingsFeedQuery } from '#lib/contract/feed-query.ts'
import { callsQuery } from '#lib/contract/lists/calls.ts'
import { differencesQuery } from '#lib/contract/lists/edition-differences.ts'
import { lookupsQuery } from '#lib/contract/lists/lookups.ts'
import {
  defineOperations,
  type LoadSchema,
  type Operation,
  type Question,
  type Tag,
  toOperation,
} from './operation.ts'
import { symbolPart, textPart } from './parts.ts'

const ATOM = { how: 'text', type: 'application/atom+xml' } as const
const JSON_FEED = { how: 'text', type: 'application/feed+json' } as const

export const feedOperations = defineOperations({
  followRatings: {
    address: '/api/ratings.atom',
    permission: 'feed',
    query: ratingsFeedQuery,
    tag: 'Ratings',
    summary: 'The newest ratings of a query as Atom',
    answer: ATOM,
    hasEtag: true,
  },
  followRatingsJson: {
    address: '/api/ratings.feed.json',
    permission: 'feed',
    query: ratingsFeedQuery,
    tag: 'Ratings',
    summary: 'The newest ratings of a query as JSON Feed',
    answer: JSON_FEED,
    hasEtag: true,
  },
  followChanges: {
    address: '/api/changes.atom',
    permission: 'feed',
    query: noQuery,
    tag: 'Ratings',
    summary: 'What changed in each of the last weeks as Atom',
    answer: ATOM,
    hasEtag: true,
  },
  followChangesJson: {
    address: '/api/changes.feed.json',
    permission: 'feed',
    query: noQuery,
    tag: 'Ratings',
    summary: 'What changed in each of the last weeks as JSON Feed',
    answer: JSON_FEED,
    hasEtag: true,
  },
  followTurns: {
    address: '/api/symbols/{symbol}/turns.atom',
    parts: { symbol: symbolPart },
    permission: 'feed',
    query: noQuery,
    tag: 'Symbols',
    summary: 'When the consensus of a symbol turned, as Atom',
    answer: ATOM,
    hasEtag: true,
  },
  followTurnsJson: {
    address: '/api/symbols/{symbol}/turns.feed.json',
    parts: { symbol: symbolPart },
    permission: 'feed',
    query: noQuery,
    tag: 'Symbols',
    summary: 'When the consensus of a symbol turned, as JSON Feed',
    answer: JSON_FEED,
    hasEtag: true,
  },
})

/** 1200 × 630 pixels. */
const PICTURE = { how: 'text', type: 'image/png' } as const

export const previewOperations = defineOperations({
  getSymbolPreview: {
    address: '/api/previews/symbols/{file}',
    parts: { file: textPart('The symbol, in any case, and `.png`.', 'AAPL.png') },
    permission: 'read',
    query: noQuery,
    tag: 'Symbols',
    summary: 'The picture of a link to a symbol’s page',
    answer: PICTURE,
    hasEtag: true,
  },
  getUserPreview: {
    address: '/api/previews/users/{file}',
    parts: { file: textPart('The number of the user and `.png`.', '1.png') },
    permission: 'read',
    query: noQuery,
    tag: 'Users',
    summary: 'The picture of a link to a user’s page',
    answer: PICTURE,
    hasEtag: true,
  },
})

const CSV_FILE = { how: 'file', type: 'text/csv' } as const

/** Files on disk: the process sends them with ranges and validators. */
export const dumpOperations = defineOperations({
  getPostsDump: {
    address: '/api/v1/posts/dumps',
    permission: 'export',
    query: noQuery,
    tag: 'Dumps',
    summary: 'The current edition of the posts dump',
    answer: CSV_FILE,
    hasEtag: true,
  },
  getLookupsDump: {
    address: '/api/v1/lookups/dumps',
    permission: 'export',
    query: noQuery,
    tag: 'Dumps',
    summary: 'The current edition of the lookups dump',
    answer: CSV_FILE,
    hasEtag: true,
  },
  getEdition: {
    address: '/api/editions/{file}',
    parts: { file: textPart('The name of the edition’s file.', 'posts-2026-11-15.csv') },
    permission: 'export',
    query: noQuery,
    tag: 'Dumps',
    summary: 'One edition as it came',
    answer: CSV_FILE,
    hasEtag: true,
  },
})

/** Every row of a query as a file, or the description of such a file. */
export type ExportOperation = Operation & {
  readonly of: ExportSubject
  readonly format: ExportFormat | 'manifest'
}

type Exported = {
  /** Ends the ids: `exportSymbolsCsv`. The ratings, which came first, have none. */
  title: string
  tag: Tag
  query: Question['query']
  load: LoadSchema
  every: string
  formats: readonly ExportFormat[]
}

const EXPORTED: Readonly<Record<ExportSubject, Exported>> = {
  ratings: {
    title: '',
    tag: 'Ratings',
    query: exportQuery,
    load: async () => (await import('#lib/contract/exports.ts')).exportedRatings,
    every: 'Every rating of a query',
    formats: EXPORT_FORMATS,
  },
  symbols: {
    title: 'Symbols',
    tag: 'Symbols',
    query: symbolsQuery,
    load: async () => (await import('#lib/contract/exports.ts')).exportedSymbols,
    every: 'Every symbol of a query',
    formats: LEAGUE_FORMATS,
  },
  users: {
    title: 'Users',
    tag: 'Users',
    query: usersQuery,
    load: async () => (await import('#lib/contract/exports.ts')).exportedUsers,
    every: 'Every user of a query',
    formats: LEAGUE_FORMATS,
  },
  calls: {
    title: 'Calls',
    tag: 'Users',
    query: callsQuery,
    load: async () => (await import('#lib/contract/exports.ts')).exportedCalls,
    every: 'Every such rating',
    formats: EXPORT_FORMATS,
  },
  lookups: {
    title: 'Lookups',
    tag: 'Symbols',
    query: lookupsQuery,
    load: async () => (await import('#lib/contract/exports.ts')).exportedLookups,
    every: 'Every look-up of a query',
    formats: EXPORT_FORMATS,
  },
  'editions/differences': {
    title: 'Differences',
    tag: 'Dumps',
    query: differencesQuery,
    load: async () => (await import('#lib/contract/exports.ts')).exportedDifferences,
    every: 'Every change between two editions',
    formats: EXPORT_FORMATS,
  },
}

const FORMATS: Readonly<Record<ExportFormat, { type: string; title: string; as: string }>> = {
  csv: { type: 'text/csv', title: 'Csv', as: ' as CSV' },
  json: { type: 'application/json', title: 'Json', as: ' as one JSON document' },
  ndjson: { type: 'application/x-ndjson', title: 'Ndjson', as: ', one object a line' },
  parquet: { type: 'application/vnd.apache.parquet', title: 'Parquet', as: ' as Parquet' },
}

export const EXPORT_OPERATIONS: readonly ExportOperation[] = (
  Object.keys(EXPORTED) as ExportSubject[]
).flatMap((of) => {
  const { title, tag, query, load, every, formats } = EXPORTED[of]
  const files = formats.map((format): ExportOperation => {
    const { type, title: ending, as } = FORMATS[format]
    const operation = toOperation(`export${title}${ending}`, {
      address: `/api/${of}.${format}`,
      permission: 'export',
      query: format === 'csv' ? withCsv(query) : query,
      tag,
      summary: every + as,
      answer: { how: 'file', type, ...(format === 'json' && { load }) },
    })
    return { ...operation, of, format }
  })
  const manifest = toOperation(`describe${title || 'Ratings'}File`, {
    address: `/api/${of}.manifest`,
    permission: 'read',
    query,
    tag,
    summary: 'What a file of the same query says of itself',
    answer: {
      how: 'text',
      type: 'application/json',
      load: async () => (await import('#lib/contract/exports.ts')).manifestAnswer,
    },
  })
  return [...files, { ...manifest, of, format: 'manifest' as const }]
})
