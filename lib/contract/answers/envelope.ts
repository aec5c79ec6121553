import * as z from 'zod/mini'
import { type AppError, FAULT_STATUS, type Fault } from '#lib/contract/faults.ts'

export const envelope = <D extends z.ZodMiniType, R extends z.core.$ZodLooseShape>(
  data: D,
  rest: R,
) => z.object({ success: z.literal(true), code: z.int(), data, ...rest })

const faults = Object.keys(FAULT_STATUS) as [Fault, ...Fault[]]

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

export function toFailure(error: AppError): Failure {
  const { fault: type, message, issues } = error
  return {
    success: false,
    code: error.status,
    data: [],
    error: issues ? { type, message, issues: [...issues] } : { type, message },
  }
}

export const seconds = z.int()

/** Decimal text, as rounded by the database. */
export const decimal = z.string().check(z.regex(/^-?\d+(?:\.\d+)?$/))

export const pageInfo = z.object({
  number: z.int(),
  size: z.int(),
  total: z.int(),
  pages: z.int(),
})
export type PageInfo = z.infer<typeof pageInfo>

/** `complete_to`: null before the first sync. */
export const meta = z.object({
  as_of: seconds,
  complete_to: z.nullable(seconds),
  generation: z.int(),
})
export type Meta = z.infer<typeof meta>

export const counted = z.object({ value: z.int(), label: z.string(), count: z.int() })
export type Counted = z.infer<typeof counted>
