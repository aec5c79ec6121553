import { AppError } from '#lib/contract/faults.ts'

const BEARER = /^Bearer +(\S+) *$/i

/**
 * The key that a request carries, in its query or as a bearer token; null where there is none. Takes `api_key` out of
 * `params`, so that nothing behind this sees it. Throws AppError('bad_request') where more than one is given.
 */
export function takeRequestKey(request: Request, params: URLSearchParams): string | null {
  const given = params.getAll('api_key')
  params.delete('api_key')
  const bearer = BEARER.exec(request.headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined) given.push(bearer)
  if (given.length > 1) {
    throw new AppError('bad_request', 'The API key is given more than once.', {
      issues: [{ parameter: 'api_key', message: 'is given twice' }],
    })
  }
  return given[0] ?? null
}
