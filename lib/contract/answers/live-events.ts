import * as z from 'zod/mini'
import { seconds } from './envelope.ts'
import { logEvent, status } from './status.ts'

/**
 * `GET /api/events`, server-sent events. `status`: all of `/api/status`, first of all and whenever something of it has
 * changed for good. `progress`: the sync alone, a few times a second while a step runs. `commit`: the archive holds
 * something else than before. `event`: an entry of the event log. `beat`: nothing, so that both ends know that the
 * connection stands.
 */
export const liveEvents = {
  status,
  progress: z.object({ sync: status.shape.sync, now: seconds }),
  commit: z.object({
    generation: z.int(),
    ratings: z.int(),
    /** Ratings more than before; may be 0 or less where ratings changed. */
    added: z.int(),
    complete_to: z.nullable(seconds),
  }),
  event: logEvent,
  beat: z.object({ now: seconds }),
}
export type LiveEventName = keyof typeof liveEvents

const named = <N extends LiveEventName>(name: N) =>
  z.object({ name: z.literal(name), data: liveEvents[name] })

/** An event with its name. */
export const liveEvent = z.discriminatedUnion('name', [
  named('status'),
  named('progress'),
  named('commit'),
  named('event'),
  named('beat'),
])
export type LiveEvent = z.infer<typeof liveEvent>
