import * as z from 'zod/mini'
import { seconds } from './shared.ts'

/**
 * How the service lists its ratings, which the specification leaves open: found out by reading, kept, looked at again.
 * Each is null while it is not known.
 */
export const discovery = z.object({
  /** Rows on a full page. */
  page_size: z.nullable(z.int()),
  /** The number of the first page: whether an address without `page` shows page 1 or one before it. */
  first_page: z.nullable(z.int()),
  /** What stands first. `none`: no order of time or number. */
  order: z.nullable(z.enum(['newest', 'oldest', 'none'])),
  /** The field that the rows are in order of. */
  order_key: z.nullable(z.string()),
  /** Whether that field changes, so that a rating moves from page to page while it is listed. */
  order_key_moves: z.nullable(z.boolean()),
  /** What a page behind the last one is. `repeats`: the last page again. */
  past_end: z.nullable(z.enum(['empty', 'not_found', 'error', 'repeats'])),
  /** Whether a page or a dump names its version, so that an unchanged one need not be sent again. */
  page_validators: z.nullable(z.boolean()),
  dump_validators: z.nullable(z.boolean()),
  /** How far the service's clock is ahead of ours, in seconds. */
  clock_skew_seconds: z.nullable(z.int()),
  /** When it was last looked at; null before the first time. */
  checked_at: z.nullable(seconds),
})
export type Discovery = z.infer<typeof discovery>
