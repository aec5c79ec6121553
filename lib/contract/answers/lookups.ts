import * as z from 'zod/mini'
import { ANSWERED_BUCKETS } from '#lib/contract/api-queries.ts'
import type { RowOf } from '#lib/contract/lists/define-list.ts'
import { lookupList } from '#lib/contract/lists/lookups.ts'
import { envelope, meta, seconds } from './envelope.ts'
import { type ListFacets, toFacetsAnswer, toPageAnswer } from './lists.ts'

/** What a dump has no column for, or left empty, is null. */
export type LookupRow = RowOf<typeof lookupList>

/**
 * `known_to`: from then on nothing is known of look-ups, since they come with a weekly dump; null where none was ever imported.
 * It never lies after `as_of`. `edition` is the Sunday of that dump.
 */
const known = { known_to: z.nullable(seconds), edition: z.nullable(z.string()) }

/** `GET /api/lookups`. */
export const lookupsPage = toPageAnswer(lookupList, known)
export type LookupsPage = z.infer<typeof lookupsPage>

/** `GET /api/lookups/facets`. */
export const lookupFacetsAnswer = toFacetsAnswer(lookupList, known)
export type LookupFacets = ListFacets<typeof lookupList>

/**
 * Look-ups of a symbol, bucket by bucket: of each its first second, how many there were and how many by each source; those whose
 * source is not known are in `lookups` alone. Buckets in which nobody asked are there too, as far as anything is known:
 * there is none before `known_from` nor from `known_to` on.
 */
export const attention = z.object({
  symbol: z.string(),
  bucket: z.enum(ANSWERED_BUCKETS),
  known_from: z.nullable(seconds),
  known_to: z.nullable(seconds),
  sources: z.array(z.string()),
  points: z.array(
    z.object({ t: seconds, lookups: z.int(), by_source: z.record(z.string(), z.int()) }),
  ),
})
export type Attention = z.infer<typeof attention>

/** `GET /api/symbols/{symbol}/attention`. */
export const attentionAnswer = envelope(attention, { meta: z.extend(meta, known) })
export type AttentionAnswer = z.infer<typeof attentionAnswer>
