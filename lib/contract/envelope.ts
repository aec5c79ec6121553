import * as z from 'zod/mini'
import { type AppError, FAULT_STATUS, type Fault } from './faults.ts'

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
