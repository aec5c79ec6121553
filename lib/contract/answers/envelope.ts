import * as z from 'zod/mini'
import { type AppError, FAULT_STATUS, type Fault } from '#lib/contract/faults.ts'

/** The specification's envelope (2.1) around any data, with what our routes add beside it. */
export const envelope = <D extends z.ZodMiniType, R extends z.core.$ZodLooseShape>(
  data: D,
  rest: R,
) => z.object({ success: z.literal(true), code: z.int(), data, ...rest })

const faults = Object.keys(FAULT_STATUS) as [Fault, ...Fault[]]

/** The one shape of a failure, on every route. */
export const failure = z.object({
  success: z.literal(false),
  code: z.int(),
  data: z.array(z.unknown()),
  error: z.object({
    type: z.enum(faults),
    message: z.string(),
    issues: z.optional(z.array(z.object({ parameter: z.string(), message: z.string() }))),
  }),
})

export type Failure = z.infer<typeof failure>

/** An error as the body of an answer. */
export function toFailure(error: AppError): Failure {
  const { fault: type, message, issues } = error
  return {
    success: false,
    code: error.status,
    data: [],
    error: issues ? { type, message, issues: [...issues] } : { type, message },
  }
}

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
