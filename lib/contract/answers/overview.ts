import * as z from 'zod/mini'
import { envelope } from '../envelope.ts'
import { decimal, meta, seconds } from './shared.ts'

/** How many lines each list of the overview has at most. */
export const OVERVIEW_LINES = 5

/** How far back (seconds) the overview looks, and how far ahead (days) it looks for ratings that lapse. */
export const OVERVIEW_SECONDS = 7 * 86_400
export const OVERVIEW_CLIFF_DAYS = 30

const changed = z.object({ symbol: z.string(), count: z.int() })

/**
 * What happened lately, each list with the most notable first. `upgraded` and `downgraded` count the ratings labelled so
 * within the 7 days before `as_of` (from `since` on); `moves` are the largest changes of consensus over those 7 days
 * among symbols with at least 3 active ratings at both ends, ranked by |change| · n / (n + 5) with n the fewer of both; `newest` the symbols first rated last; `contested` those
 * whose active ratings are disagreed with most, by the lower end of Wilson's interval (95 %) of the share of votes, as
 * last seen; `cliffs` those of at least 3 active ratings that rest most on ratings that expire of themselves within 30
 * days, by the lower end of Wilson's interval of their share, with what would be left of it if nobody renewed (`left`).
 */
export const overview = z.object({
  since: seconds,
  upgraded: z.array(changed),
  downgraded: z.array(changed),
  moves: z.array(
    z.object({
      symbol: z.string(),
      active: z.int(),
      before: decimal,
      consensus: decimal,
      change: decimal,
    }),
  ),
  newest: z.array(z.object({ symbol: z.string(), first_created_at: seconds, ratings: z.int() })),
  contested: z.array(
    z.object({
      symbol: z.string(),
      agree: z.int(),
      disagree: z.int(),
      disagreement_low: decimal,
    }),
  ),
  cliffs: z.array(
    z.object({
      symbol: z.string(),
      active: z.int(),
      lapsing: z.int(),
      lapsing_low: decimal,
      consensus: decimal,
      left: z.nullable(decimal),
    }),
  ),
})
export type Overview = z.infer<typeof overview>

/** `GET /api/overview`. */
export const overviewAnswer = envelope(overview, { meta })
export type OverviewAnswer = z.infer<typeof overviewAnswer>
