import * as z from 'zod/mini'

/** Seconds since 1970. */
export const seconds = z.int()

/** A decimal number as text, digits as the database rounded them. */
export const decimal = z.string().check(z.regex(/^-?\d+(?:\.\d+)?$/))

/** Which page of how many: `size` rows a page, `total` rows in all, `pages` at least 1. */
export const pageInfo = z.object({
  number: z.int(),
  size: z.int(),
  total: z.int(),
  pages: z.int(),
})
export type PageInfo = z.infer<typeof pageInfo>

/**
 * What an answer was made from: the instant that *active* was judged at, up to when the archive is known to be
 * complete (null before the first sync), and the archive's generation.
 */
export const meta = z.object({
  as_of: seconds,
  complete_to: z.nullable(seconds),
  generation: z.int(),
})
export type Meta = z.infer<typeof meta>

export const counted = z.object({ value: z.int(), label: z.string(), count: z.int() })
export type Counted = z.infer<typeof counted>
