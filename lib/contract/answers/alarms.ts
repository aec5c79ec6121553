import * as z from 'zod/mini'
import { seconds } from './shared.ts'

/**
 * What may be wrong although every request succeeds, and what is wrong plainly. `edition_late`: the week's dump is not
 * here hours after it was due. `edition_unchanged`: what came lacks ratings that were posted before it was made.
 * `edition_aside`: one that shrank waits for a second that confirms it. `silent`: nobody has rated for longer than the
 * community ever is silent. `falling`: each edition holds fewer rows than the one before. `archive_rebuilt`: the archive
 * file was damaged, set aside, and filled again. `stalled`: the sync gives no sign of life.
 */
export const ALARM_KINDS = [
  'refused',
  'unreachable',
  'disk',
  'budget',
  'edition_late',
  'edition_unchanged',
  'edition_aside',
  'silent',
  'falling',
  'vanished',
  'clock',
  'archive_rebuilt',
  'stalled',
] as const
export type AlarmKind = (typeof ALARM_KINDS)[number]

/** `since` is when it was first seen; `message` is a sentence or two for people. */
export const alarm = z.object({
  kind: z.enum(ALARM_KINDS),
  since: seconds,
  message: z.string(),
})
export type Alarm = z.infer<typeof alarm>
