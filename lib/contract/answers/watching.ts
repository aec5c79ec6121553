import * as z from 'zod/mini'
import { decimal, envelope, meta, seconds } from './envelope.ts'

/** `ratings` includes ended ones, so it never falls for a symbol or user. */
const held = {
  ratings: z.int(),
  newest: z.array(z.int()),
  last_created_at: z.nullable(seconds),
}

/** Mean of the active ratings, 4 places. */
const consensus = z.nullable(decimal)

/** In the requested order. */
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

export type UnnamedWatching = Omit<Watching, 'symbols'> & {
  symbols: Omit<Watching['symbols'][number], 'name'>[]
}

export const watchingAnswer = envelope(watching, { meta })
export type WatchingAnswer = z.infer<typeof watchingAnswer>
