import * as z from 'zod/mini'
import { rating } from '#lib/contract/rating.ts'
import { envelope, meta } from './envelope.ts'

export const postsPage = envelope(z.array(z.looseObject(rating.shape)), {})

export const openApiDocument = z.looseObject({ openapi: z.string() })

export const accepted = envelope(z.unknown(), {})

const docsEntry = z.object({
  kind: z.enum(['word', 'docs']),
  label: z.string(),
  detail: z.string(),
  also: z.string(),
  href: z.string(),
})
export type DocsEntry = z.infer<typeof docsEntry>

export const docsIndex = z.array(docsEntry)

/** `etag` names this file for `If-Match`. `meta` is that of the file. */
export const database = z.object({
  bytes: z.int(),
  etag: z.string(),
  tables: z.array(
    z.object({
      name: z.string(),
      meaning: z.string(),
      rows: z.int(),
      columns: z.array(z.object({ name: z.string(), type: z.string(), meaning: z.string() })),
    }),
  ),
})
export type Database = z.infer<typeof database>

export const databaseAnswer = envelope(database, { meta })
export type DatabaseAnswer = z.infer<typeof databaseAnswer>
