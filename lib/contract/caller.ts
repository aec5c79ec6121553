import { PERMISSIONS, type Permission } from './answers/access.ts'
import { AppError } from './faults.ts'

/** What a route requires. `public`: anybody, signed in or not. */
export type RequiredPermission = Permission | 'public'

export type Caller = {
  /** Empty without an account. */
  name: string
  permissions: readonly Permission[]
  via: { kind: 'none' | 'open' | 'session' | 'token' | 'proxy' | 'server'; id: string }
}

/** Has not signed in where signing in is required. */
export const signedOutCaller: Caller = { name: '', permissions: [], via: { kind: 'none', id: '' } }

/** Everybody in the mode `open`. */
export const anonymousCaller: Caller = {
  name: '',
  permissions: PERMISSIONS,
  via: { kind: 'open', id: '' },
}

/** The server itself, for work that belongs to no request. */
export const serverCaller: Caller = {
  name: '',
  permissions: PERMISSIONS,
  via: { kind: 'server', id: '' },
}

/** Included in `read`. */
const PARTS_OF_READ: readonly Permission[] = ['embed', 'feed']

export const permits = (permissions: readonly Permission[], needed: Permission): boolean =>
  permissions.includes(needed) || (PARTS_OF_READ.includes(needed) && permissions.includes('read'))

/**
 * Throws AppError `unauthorized` or `forbidden`. Null: the request did not pass the front of the
 * server, so nobody has identified its caller, and even public routes are refused.
 */
export function requirePermission(caller: Caller | null, required: RequiredPermission): void {
  if (caller === null) throw new AppError('forbidden', 'Nobody has identified the caller.')
  if (required === 'public' || permits(caller.permissions, required)) return
  throw caller.via.kind === 'none'
    ? new AppError('unauthorized', 'Sign in first, or send a token.')
    : toForbidden(required)
}

export const toForbidden = (required: RequiredPermission): AppError =>
  new AppError('forbidden', `This requires the permission “${required}”, which you do not have.`)
