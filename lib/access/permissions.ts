import { PERMISSIONS, type Permission, type Role } from '#lib/contract/answers/access.ts'

/** What each role may do. */
export const ROLES = {
  reader: ['embed', 'feed', 'read', 'export'],
  operator: PERMISSIONS,
} as const satisfies Record<Role, readonly Permission[]>

export const isRole = (text: string): text is Role => Object.hasOwn(ROLES, text)

/** Somebody who was let in. */
export type Caller = {
  /** The account's name; whose token it is. Empty where nobody signs in. */
  name: string
  permissions: readonly Permission[]
  /** How he showed who he is; `id` names the session or the token. */
  via: { kind: 'open' | 'session' | 'token' | 'proxy'; id: string }
}

/** Where nobody signs in, whoever reaches the process may do everything. */
export const ANYBODY: Caller = {
  name: '',
  permissions: PERMISSIONS,
  via: { kind: 'open', id: '' },
}

/** What whoever reads everything may read, too. */
const PARTS_OF_READ: readonly Permission[] = ['embed', 'feed']

/** Whether somebody with these permissions may do what needs another. */
export const permits = (permissions: readonly Permission[], needed: Permission): boolean =>
  permissions.includes(needed) || (PARTS_OF_READ.includes(needed) && permissions.includes('read'))
