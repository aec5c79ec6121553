import { PERMISSIONS, type Permission, type Role } from '#lib/contract/answers/access.ts'

export const ROLES = {
  reader: ['embed', 'feed', 'read', 'export'],
  operator: PERMISSIONS,
} as const satisfies Record<Role, readonly Permission[]>

export const isRole = (text: string): text is Role => Object.hasOwn(ROLES, text)

export type Caller = {
  name: string
  permissions: readonly Permission[]
  via: { kind: 'open' | 'session' | 'token' | 'proxy'; id: string }
}

export const ANYBODY: Caller = {
  name: '',
  permissions: PERMISSIONS,
  via: { kind: 'open', id: '' },
}

/** Included in `read`. */
const PARTS_OF_READ: readonly Permission[] = ['embed', 'feed']

export const permits = (permissions: readonly Permission[], needed: Permission): boolean =>
  permissions.includes(needed) || (PARTS_OF_READ.includes(needed) && permissions.includes('read'))
