import 'server-only'
import { sendError, sendFailure } from '#lib/api/respond.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toLogFields } from './log.ts'
import { once, selectOnce } from './once.ts'
import { processLog } from './runtime.ts'

/** A request about who may come in. `parts`: the `[name]` parts of the path, decoded. */
export type AskedOfAccess = { request: Request; parts: Readonly<Record<string, string>> }

/** What answers about who may come in. */
export type AccessAnswers = {
  /** Throws AppError. */
  answer(name: AccessAnswerName, asked: AskedOfAccess): Promise<Response>
}

export type AccessAnswerName =
  | 'me'
  | 'signIn'
  | 'signOut'
  | 'endSessions'
  | 'makeToken'
  | 'endToken'
  | 'changePassword'
  | 'accounts'
  | 'changeAccount'
  | 'audit'
  | 'oidc'
  | 'oidcCallback'

const ANSWERS = 'access answers'

/** Says what {@link mountAccess} hands requests on to. Only where people sign in. */
export const registerAccess = (answers: AccessAnswers) => once(ANSWERS, () => answers)

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Context = { params: Promise<Record<string, string>> }
type Handler = (request: Request, context?: Context) => Promise<Response>

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** What a route file below `/api/access` exports: for each method that it takes, the name of what answers. */
export function mountAccess(
  taken: Partial<Record<Method, AccessAnswerName>>,
): Record<(typeof METHODS)[number], Handler> {
  const handler: Handler = async (request, context) => {
    try {
      const method = request.method === 'HEAD' ? 'GET' : (request.method as Method)
      const name = taken[method]
      if (name === undefined) return refuseMethod(Object.keys(taken))
      const answers = selectOnce<AccessAnswers>(ANSWERS)
      if (!answers) throw new AppError('not_found', 'Nobody signs in here (ACCESS).')
      return await answers.answer(name, { request, parts: (await context?.params) ?? {} })
    } catch (error) {
      return sendError(error, (unknown) =>
        processLog().error('a request about who may come in failed', toLogFields(unknown)),
      )
    }
  }
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Record<
    (typeof METHODS)[number],
    Handler
  >
}

function refuseMethod(taken: readonly string[]): Response {
  const error = new AppError(
    'method_not_allowed',
    `This address takes ${taken.join(' and ')} only.`,
  )
  return sendFailure(error, { allow: taken.join(', ') })
}
