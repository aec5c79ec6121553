import * as z from 'zod/mini'
import { seconds } from './shared.ts'

/**
 * How far a running step is: `total` is null where nobody knows it yet. `since` is when the step began, `per_second` how
 * many units came in a second lately, `remaining_seconds` what is left at that pace; null where nothing can be said.
 */
export const progress = z.object({
  step: z.enum([
    'fetching',
    'verifying',
    'comparing',
    'importing',
    'deriving',
    'reading',
    'discovering',
  ]),
  done: z.number(),
  total: z.nullable(z.number()),
  unit: z.enum(['bytes', 'rows', 'pages']),
  since: seconds,
  per_second: z.nullable(z.number()),
  remaining_seconds: z.nullable(z.int()),
})
export type Progress = z.infer<typeof progress>

/** What whoever does a step says of it; the pace is worked out by whoever listens. */
export type StepProgress = Pick<Progress, 'step' | 'done' | 'total' | 'unit'>
