import * as z from 'zod/mini'
import { DIFFERENCE_KINDS } from '#lib/contract/lists/edition-differences.ts'
import { envelope, meta, pageInfo, seconds } from './envelope.ts'

const kind = z.enum(DIFFERENCE_KINDS)

/** A field that changed: its text in the earlier edition and in the later one, at most 500 characters of each. */
const change = z.object({ field: z.string(), before: z.string(), after: z.string() })
export type FieldChange = z.infer<typeof change>

/**
 * A rating that differs, with its fields as the later edition has them; as the earlier one has them where it vanished. Rows that
 * are no ratings are compared like all others: what is no whole number is null, `id_text` is the id as the file has it.
 */
export const differenceRow = z.object({
  id: z.nullable(z.int()),
  id_text: z.string(),
  kind,
  symbol: z.string(),
  user_id: z.nullable(z.int()),
  rating: z.nullable(z.int()),
  prediction: z.string(),
  created_at: z.nullable(seconds),
  changes: z.array(change),
})
export type DifferenceRow = z.infer<typeof differenceRow>

const count = z.int()
const kindCounts = z.object({
  ...{ edited: count, ended_early: count, vanished: count },
  ...{ returned: count, new: count, votes: count },
})

const side = z.object({
  edition: z.string(),
  fetched_at: seconds,
  rows: z.int(),
  /** Columns that only this one of both has: they are not compared. */
  only: z.array(z.string()),
})

/** `between` null: fewer than two editions are kept. `kinds` and `all` count all of the difference, whatever is filtered. */
const differencesMeta = z.extend(meta, {
  between: z.nullable(z.object({ from: side, to: side })),
  kinds: kindCounts,
  all: z.int(),
})

/** `GET /api/editions/differences`. `file`: how many rows a file of the query has, and one of everything. */
export const differencesPage = envelope(z.array(differenceRow), {
  page: pageInfo,
  meta: z.extend(differencesMeta, { file: z.object({ rows: z.int(), all: z.int() }) }),
})
export type DifferencesPage = z.infer<typeof differencesPage>

const counts = <V extends z.ZodMiniType>(value: V) => z.array(z.object({ value, count }))

/**
 * Each facet counts the ratings that pass all the other filters; what the query names is there even with no rating. `field` counts
 * a rating for each of its fields that changed. `distinct` is how many values a facet would have if all were listed.
 */
export const differenceFacets = z.object({
  kind: counts(kind),
  field: counts(z.string()),
  symbol: counts(z.string()),
  user: counts(z.int()),
  distinct: z.object({ fields: count, symbols: count, users: count }),
})
export type DifferenceFacets = z.infer<typeof differenceFacets>

/** `GET /api/editions/differences/facets`. */
export const differenceFacetsAnswer = envelope(differenceFacets, { meta: differencesMeta })
export type DifferenceFacetsAnswer = z.infer<typeof differenceFacetsAnswer>
