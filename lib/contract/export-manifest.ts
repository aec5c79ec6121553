import * as z from 'zod/mini'
import { envelope, meta } from './answers/envelope.ts'
import { symbolRow } from './answers/symbols.ts'
import { userRow } from './answers/users.ts'

const EXPORT_SUBJECTS = ['ratings', 'symbols', 'users'] as const

/** What can be exported. */
export type ExportSubject = (typeof EXPORT_SUBJECTS)[number]

/**
 * What a file says of itself, more than a name can hold. `gaps` are ids that are missing and that nothing explains; `query`
 * is what was asked as an address has it, `filters` the same by name; `service` is where the ratings come from, `invented`
 * whether a program made them up; `method` how the figures come about.
 */
export const exportManifest = z.extend(meta, {
  rows: z.int(),
  gaps: z.int(),
  of: z.enum(EXPORT_SUBJECTS),
  query: z.string(),
  filters: z.record(z.string(), z.string()),
  columns: z.readonly(z.array(z.string())),
  time_zone: z.literal('UTC'),
  service: z.string(),
  invented: z.boolean(),
  method: z.string(),
})
export type ExportManifest = z.infer<typeof exportManifest>

/** `GET /api/ratings.manifest`, and of both leagues. */
export const manifestAnswer = envelope(exportManifest, {})

const file = <R extends z.ZodMiniType>(row: R) =>
  envelope(z.array(row), { meta: exportManifest, rows: z.int() })

/** `GET /api/symbols.json` and `/api/users.json`: the rows without their drawings, the times as texts too. */
export const exportedSymbols = file(
  z.extend(z.omit(symbolRow, { spark: true }), {
    first_created_at_date: z.string(),
    last_created_at_date: z.string(),
  }),
)
export const exportedUsers = file(
  z.extend(z.omit(userRow, { activity: true }), { last_created_at_date: z.string() }),
)

/** What a manifest says of how it came about, in a sentence or two. */
export const METHODS: Readonly<Record<ExportSubject, string>> = {
  ratings:
    'Every rating of the query in its order, as the service sent it, counted and written from one state of the archive.',
  symbols:
    'Every symbol of the query in its order. Consensus, predictions and dispersion are over the ratings active at as_of; means are divided exactly and rounded once to 4 places. The order by consensus is by consensus_low downwards and by consensus_high upwards, by change_30d by change_shrunk, by avg_prediction by prediction_shrunk.',
  users:
    'Every user of the query in its order, over the ratings posted by as_of; recent are 90 days, votes are as last seen. agreement_low is the lower end of Wilson’s interval (95 %) of the share of votes that agreed; bias is the mean distance of the active ratings from the mean of the others on the same symbols.',
}
