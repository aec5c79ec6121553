import type { Permission } from '#lib/contract/answers/access.ts'
import { databaseQuery, noQuery } from '#lib/contract/api-queries.ts'
import { DATABASE_PATH } from '#lib/contract/database/tables.ts'
import { EXPORT_FORMATS, type ExportFormat } from '#lib/contract/export-formats.ts'
import { exportQuery, withCsv } from '#lib/contract/exports.ts'
import { LISTS, type ListPath } from '#lib/contract/lists/lists.ts'
import { ratingsFeedQuery } from '#lib/contract/ratings-query.ts'
import type { Tag } from '#lib/contract/tags.ts'
import {
  defineOperations,
  defineQuestions,
  type LoadSchema,
  type Operation,
  type Question,
  textPart,
  toOperation,
} from './operation.ts'

const ATOM = { how: 'text', type: 'application/atom+xml' } as const

export const feedOperations = defineOperations({
  followRatings: {
    address: '/api/ratings.atom',
    permission: 'feed',
    query: ratingsFeedQuery,
    tag: 'Ratings',
    summary: 'The newest ratings of a query as an Atom feed',
    answer: ATOM,
    hasEtag: true,
  },
  followChanges: {
    address: '/api/changes.atom',
    permission: 'feed',
    query: noQuery,
    tag: 'Ratings',
    summary: 'Weekly changes as an Atom feed',
    answer: ATOM,
    hasEtag: true,
  },
})

export const previewOperations = defineOperations({
  getSymbolPreview: {
    address: '/api/previews/symbols/{file}',
    parts: { file: textPart('The symbol, case-insensitive, and `.png`.', 'AAPL.png') },
    permission: 'read',
    query: noQuery,
    tag: 'Symbols',
    summary: 'Preview image of a symbol page, 1200 × 630 pixels',
    answer: { how: 'text', type: 'image/png' },
  },
})

const DATABASE_FILE = { how: 'file', type: 'application/vnd.duckdb' } as const
const CSV_FILE = { how: 'file', type: 'text/csv' } as const

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
  getDatabase: {
    address: DATABASE_PATH,
    permission: 'export',
    query: databaseQuery,
    tag: 'Ratings',
    summary: 'All tables as one DuckDB file',
    answer: DATABASE_FILE,
    hasEtag: true,
  },
  getEdition: {
    address: '/api/editions/{file}',
    parts: { file: textPart('The file name of the edition.', 'posts-2026-11-15.csv') },
    permission: 'export',
    query: noQuery,
    tag: 'Dumps',
    summary: 'One edition, unchanged',
    answer: CSV_FILE,
    hasEtag: true,
  },
})

export type ExportOperation = Operation & {
  readonly of: ListPath
  readonly format: ExportFormat
}

type Exported = {
  of: ListPath
  title: string
  tag: Tag
  query: Question['query']
  load: LoadSchema
  every: string
  formats: readonly ExportFormat[]
  permission: Permission
}

/** Only ratings take columns. */
const RATINGS = {
  title: '',
  query: exportQuery,
  load: async () => (await import('#lib/contract/exports.ts')).exportedRatings,
} as const

const EXPORTED: readonly Exported[] = LISTS.map((list) => ({
  of: list.path,
  title: list.title,
  tag: list.tag,
  query: list.query,
  load: async () => (await import('#lib/contract/exports.ts')).toExportedRows(list),
  every: list.summary.file,
  formats: list.formats ?? EXPORT_FORMATS,
  permission: list.permission,
  ...(list.path === 'ratings' && RATINGS),
}))

const FORMATS: Readonly<Record<ExportFormat, { type: string; title: string; as: string }>> = {
  csv: { type: 'text/csv', title: 'Csv', as: ' as CSV' },
  json: { type: 'application/json', title: 'Json', as: ' as one JSON document' },
  ndjson: { type: 'application/x-ndjson', title: 'Ndjson', as: ', one object per line' },
  parquet: { type: 'application/vnd.apache.parquet', title: 'Parquet', as: ' as Parquet' },
}

export const EXPORT_OPERATIONS: readonly ExportOperation[] = EXPORTED.flatMap((exported) => {
  const { of, title, tag, query, load, every, formats, permission } = exported
  return formats.map((format): ExportOperation => {
    const { type, title: ending, as } = FORMATS[format]
    const operation = toOperation(`export${title}${ending}`, {
      address: `/api/${of}.${format}`,
      permission: permission === 'read' ? 'export' : permission,
      query: format === 'csv' ? withCsv(query) : query,
      tag,
      summary: every + as,
      answer: { how: 'file', type, ...(format === 'json' && { load }) },
    })
    return { ...operation, of, format }
  })
})

export const databaseQuestions = defineQuestions({
  database: {
    id: 'describeDatabase',
    address: '/api/database',
    parts: {},
    permission: 'export',
    query: databaseQuery,
    answer: async () => (await import('../answers/described.ts')).databaseAnswer,
    tag: 'Ratings',
    summary: 'Description of the database file',
    cached: 'no',
  },
})
