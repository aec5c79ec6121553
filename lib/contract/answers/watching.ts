import * as z from 'zod/mini'
import { decimal, envelope, meta, seconds } from './envelope.ts'

/**
 * What a watched thing holds. `ratings` counts every rating that the archive holds, whatever became of it: for a symbol
 * and a user it only ever grows. `newest` are the ids of the newest of them by `created_at`, then by id, at most 50;
 * `last_created_at` is when the first of these was posted, null where there is none.
 */
const held = {
  ratings: z.int(),
  newest: z.array(z.int()),
  last_created_at: z.nullable(seconds),
}

/** The mean of the active ratings, 4 places; null over none. */
const consensus = z.nullable(decimal)

/**
 * Symbols, users and views in the order in which they were asked for. What nobody has rated, and who has not rated, has 0
 * ratings. A view's ratings are those that match now: ratings may leave it.
 */
export const watching = z.object({
  symbols: z.array(
    z.object({
      symbol: z.string(),
      name: z.nullable(z.string()),
      ...held,
      active: z.int(),
      consensus,
    }),
  ),
  users: z.array(
    z.object({
      user_id: z.int(),
      ...held,
    }),
  ),
  views: z.array(z.object({ view: z.string(), ...held })),
})
export type Watching = z.infer<typeof watching>

/** As the archive has it: what a symbol is called it does not know. */
export type UnnamedWatching = Omit<Watching, 'symbols'> & {
  symbols: Omit<Watching['symbols'][number], 'name'>[]
}

/** `GET /api/watching`. */
export const watchingAnswer = envelope(watching, { meta })
export type WatchingAnswer = z.infer<typeof watchingAnswer>
