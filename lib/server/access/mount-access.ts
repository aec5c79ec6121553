import 'server-only'
import { sendError } from '#lib/api/respond.ts'
import { selectOperation } from '#lib/api/select-operation.ts'
import { toOwnPath } from '#lib/contract/base-path.ts'
import { requirePermission } from '#lib/contract/caller.ts'
import { AppError } from '#lib/contract/faults.ts'
import { accessOperations } from '#lib/contract/operations/access.ts'
import { readParts } from '#lib/contract/operations/operation.ts'
import { toLogFields } from '#lib/server/environment/log.ts'
import { selectSingleton, singleton } from '#lib/server/environment/singleton.ts'
import { type RequestContext, requireContext } from '#lib/server/gate/request-context.ts'
import { toHandlers } from '#lib/server/routes/mount.ts'
import { processLog } from '#lib/server/runtime/runtime.ts'

export type AccessInput = {
  request: Request
  parts: Readonly<Record<string, string>>
  context: Pick<RequestContext, 'caller' | 'client' | 'isHttps'>
}

export type AccessAnswers = {
  /** Throws AppError. */
  answer(id: AccessOperationId, asked: AccessInput): Promise<Response>
}

export type AccessOperationId = keyof typeof accessOperations

const ANSWERS = 'access answers'

export const registerAccess = (answers: AccessAnswers) => singleton(ANSWERS, () => answers)

const isOfAccess = (id: string): id is AccessOperationId => Object.hasOwn(accessOperations, id)

export const accessHandlers = toHandlers(async (request) => {
  try {
    const path = toOwnPath(new URL(request.url).pathname)
    const context = requireContext()
    const operation = selectOperation(path, request.method)
    if (operation instanceof Response) return operation
    requirePermission(context.caller, operation.permission)
    const answers = selectSingleton<AccessAnswers>(ANSWERS)
    if (!answers) throw new AppError('not_found', 'Sign-in is not configured (ACCESS).')
    if (!isOfAccess(operation.id)) throw new Error(`${operation.id} is not an access address.`)
    return await answers.answer(operation.id, {
      request,
      parts: readParts(operation.address, path),
      context,
    })
  } catch (error) {
    return sendError(error, (unknown) =>
      processLog().error('an access request failed', toLogFields(unknown)),
    )
  }
})
