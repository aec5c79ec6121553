import * as z from 'zod/mini'
import { ANSWERED_BUCKETS } from '#lib/contract/api-queries.ts'
import type { RowOf } from '#lib/contract/lists/define-list.ts'
import { lookupList } from '#lib/contract/lists/lookups.ts'
import { envelope, meta, seconds } from './envelope.ts'
import { type ListFacets, toFacetsAnswer, toPageAnswer } from './lists.ts'

export type LookupRow = RowOf<typeof lookupList>

/** `known_to`: exclusive; null before the first import. */
const known = { known_to: z.nullable(seconds), edition: z.nullable(z.string()) }

export const lookupsPage = toPageAnswer(lookupList, known)
export type LookupsPage = z.infer<typeof lookupsPage>

export const lookupFacetsAnswer = toFacetsAnswer(lookupList, known)
export type LookupFacets = ListFacets<typeof lookupList>

/** Look-ups without a source count in `lookups` only. Empty buckets are included. */
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

export const attentionAnswer = envelope(attention, { meta: z.extend(meta, known) })
export type AttentionAnswer = z.infer<typeof attentionAnswer>
