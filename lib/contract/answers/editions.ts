import * as z from 'zod/mini'
import { envelope } from '../envelope.ts'
import { edition, editionChanges } from './state.ts'

/**
 * A dump on disk. `current` is what is served under the dump's own address, `earlier` one before it, `aside` one that
 * shrank and waits for a second edition to confirm it (`reason` says so).
 */
const shelvedEdition = z.extend(edition, {
  file_name: z.string(),
  state: z.enum(['current', 'earlier', 'aside']),
  /** Whether its bytes are those of the edition before. */
  unchanged: z.boolean(),
  /** Against the edition before; null where there is none, or it has not been worked out. */
  changes: z.nullable(editionChanges),
  reason: z.nullable(z.string()),
})
export type ShelvedEdition = z.infer<typeof shelvedEdition>

/** `GET /api/editions`: newest first. Each file lies under `/api/editions/{file}`. */
export const editionsAnswer = envelope(
  z.object({ posts: z.array(shelvedEdition), lookups: z.array(shelvedEdition) }),
  {},
)
export type EditionsAnswer = z.infer<typeof editionsAnswer>
