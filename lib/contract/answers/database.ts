import * as z from 'zod/mini'
import { envelope, meta } from './envelope.ts'

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
