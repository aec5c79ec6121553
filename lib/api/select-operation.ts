import { AppError } from '#lib/contract/faults.ts'
import type { Method, Operation } from '#lib/contract/operations/operation.ts'
import { selectAddress } from '#lib/contract/operations/operations.ts'
import { sendFailure } from './respond.ts'

/** Returns a 405 response for a wrong method. Throws AppError `not_found`. */
export function selectOperation(path: string, method: string): Operation | Response {
  const found = selectAddress(path)
  if (!found) throw new AppError('not_found', 'The API has no such address.')
  const wanted = method === 'HEAD' ? 'GET' : method
  const operation = found.operations.find((one) => one.method === wanted)
  if (operation) return operation
  return refuseMethod(found.operations.map((one) => one.method))
}

export function refuseMethod(methods: readonly Method[]): Response {
  const taken = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return sendFailure(
    new AppError('method_not_allowed', `This address allows only ${taken.join(' and ')}.`),
    { allow: taken.join(', ') },
  )
}
