import * as z from 'zod/mini'
import { ANSWERED_BUCKETS } from '#lib/contract/api-queries.ts'
import { envelope, meta, pageInfo, seconds } from './envelope.ts'

/** Somebody asked for a symbol (upper case). What a dump has no column for, or left empty, is null. */
export const lookupRow = z.object({
  id: z.nullable(z.int()),
  symbol: z.string(),
  source: z.nullable(z.string()),
  room_id: z.nullable(z.string()),
  created_at: seconds,
})
export type LookupRow = z.infer<typeof lookupRow>

/**
 * `known_to`: from then on nothing is known of look-ups, since they come with a weekly dump; null where none was ever imported.
 * It never lies after `as_of`. `edition` is the Sunday of that dump.
 */
const lookupsMeta = z.extend(meta, {
  known_to: z.nullable(seconds),
  edition: z.nullable(z.string()),
})

/** `GET /api/lookups`. `all` is the number of look-ups with no filter. */
export const lookupsPage = envelope(z.array(lookupRow), {
  page: pageInfo,
  meta: z.extend(lookupsMeta, { all: z.int() }),
})
export type LookupsPage = z.infer<typeof lookupsPage>

const counts = z.array(z.object({ value: z.string(), count: z.int() }))

/**
 * Each facet counts the rows that pass all the other filters; what the query names is there even with no row. Bins are half
 * open and lie where they lie for every query of an edition. `distinct` is how many values a facet would have if all were listed.
 * `bounds` are those of all look-ups, `from` inclusive and `to` exclusive.
 */
export const lookupFacets = z.object({
  symbol: counts,
  source: counts,
  room: counts,
  distinct: z.object({ symbols: z.int(), sources: z.int(), rooms: z.int() }),
  created: z.array(z.object({ from: seconds, to: seconds, count: z.int() })),
  bounds: z.object({ created: z.nullable(z.object({ from: seconds, to: seconds })) }),
})
export type LookupFacets = z.infer<typeof lookupFacets>

/** `GET /api/lookups/facets`. */
export const lookupFacetsAnswer = envelope(lookupFacets, { meta: lookupsMeta })
export type LookupFacetsAnswer = z.infer<typeof lookupFacetsAnswer>

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
export const attentionAnswer = envelope(attention, { meta: lookupsMeta })
export type AttentionAnswer = z.infer<typeof attentionAnswer>
