import { PERMISSIONS, type Permission, type Role } from '#lib/contract/answers/access.ts'

export const ROLES = {
  reader: ['embed', 'feed', 'read', 'export'],
  operator: PERMISSIONS,
} as const satisfies Record<Role, readonly Permission[]>

export const isRole = (text: string): text is Role => Object.hasOwn(ROLES, text)
