import { parameter } from './query-parameters.ts'
import { querySchema } from './query-schema.ts'

/** Of a series. Seconds since 1970; null is open. */
export const spanQuery = querySchema({
  from: parameter.instant('Start, in the first bucket.', '2024-01-01'),
  to: parameter.instant('End, exclusive.', '2026-01-01'),
})
