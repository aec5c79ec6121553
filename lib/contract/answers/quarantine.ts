import * as z from 'zod/mini'
import { envelope, pageInfo, seconds } from './envelope.ts'

/**
 * A row that no rating can be read from. `raw` is what came, at most 4,096 characters of it; `source` the dump's edition
 * (`2026-11-15`) or what pages it stood on.
 */
const quarantinedRow = z.object({
  at: seconds,
  source: z.string(),
  reason: z.string(),
  raw: z.string(),
})
export type QuarantinedRow = z.infer<typeof quarantinedRow>

/**
 * `GET /api/quarantine`: newest first; `reasons` counts all rows that are kept, whatever is filtered, the 100 most
 * frequent first. `all` is how many there ever were: the oldest of too many are not kept.
 */
export const quarantinePage = envelope(
  z.object({
    rows: z.array(quarantinedRow),
    reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
    all: z.int(),
  }),
  { page: pageInfo },
)
export type QuarantinePage = z.infer<typeof quarantinePage>
