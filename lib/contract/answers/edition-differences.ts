import * as z from 'zod/mini'
import { DIFFERENCE_KINDS } from '#lib/contract/lists/edition-differences.ts'
import { envelope, meta, pageInfo, seconds } from './envelope.ts'

const kind = z.enum(DIFFERENCE_KINDS)

/** Each text has at most 500 characters. */
const change = z.object({ field: z.string(), before: z.string(), after: z.string() })
export type FieldChange = z.infer<typeof change>

/**
 * From the later edition if it has the rating, else from the earlier one. Null: not an integer.
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
export const kindCounts = z.object({
  edited: count,
  ended_early: count,
  vanished: count,
  returned: count,
  new: count,
  votes: count,
})

const side = z.object({
  edition: z.string(),
  fetched_at: seconds,
  rows: z.int(),
  only: z.array(z.string()),
})

/** `kinds` and `all` ignore the filters. */
const differencesMeta = z.extend(meta, {
  between: z.nullable(z.object({ from: side, to: side })),
  kinds: kindCounts,
  all: z.int(),
})

export const differencesPage = envelope(z.array(differenceRow), {
  page: pageInfo,
  meta: z.extend(differencesMeta, { file: z.object({ rows: z.int(), all: z.int() }) }),
})
export type DifferencesPage = z.infer<typeof differencesPage>

const counts = <V extends z.ZodMiniType>(value: V) => z.array(z.object({ value, count }))

export const differenceFacets = z.object({
  kind: counts(kind),
  field: counts(z.string()),
  symbol: counts(z.string()),
  user: counts(z.int()),
  distinct: z.object({ fields: count, symbols: count, users: count }),
})
export type DifferenceFacets = z.infer<typeof differenceFacets>

export const differenceFacetsAnswer = envelope(differenceFacets, { meta: differencesMeta })
export type DifferenceFacetsAnswer = z.infer<typeof differenceFacetsAnswer>
